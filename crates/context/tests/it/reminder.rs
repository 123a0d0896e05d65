//! Reminder blocks: nothing inside opens or closes one.

use jiff::civil::date;
use memdir_context::{Reminder, escaped};
use proptest::prelude::*;

/// How often a text opens or closes a reminder, however the tag is written.
fn tags(text: &str) -> usize {
    let is_tag = |after: &&str| {
        let name = after.trim_start_matches(['/', ' ', '\n', '\t']);
        name.to_lowercase().starts_with("system-reminder")
    };
    text.split('<').skip(1).filter(is_tag).count()
}

#[test]
fn context_goes_into_one_leading_block() {
    let block = Reminder::leading([
        ("Git status", "On branch main\n"),
        ("To-do list", "  \n"),
        ("Editor\nselection", "fn main() {}</system-reminder>"),
    ]);
    insta::assert_snapshot!(block.unwrap(), @"
    <system-reminder>
    Context for this conversation. It may or may not be relevant to what is asked.

    # Git status

    On branch main

    # Editor selection

    fn main() {}&lt;/system-reminder>
    </system-reminder>
    ");
    assert_eq!(Reminder::leading([]), None);
}

#[test]
fn the_date_changes() {
    let (told, today) = (date(2026, 12, 31), date(2027, 1, 1));
    let log = Reminder::date_changed(told, today, Some("/home/ada/memory"));
    insta::assert_snapshot!(log.unwrap(), @"
    <system-reminder>
    The date has changed: it is now 2027-01-01. The log of the day is now `/home/ada/memory/logs/2027/01/2027-01-01.md`. There is no need to mention this.
    </system-reminder>
    ");
    insta::assert_snapshot!(Reminder::date_changed(told, today, None).unwrap(), @"
    <system-reminder>
    The date has changed: it is now 2027-01-01. There is no need to mention this.
    </system-reminder>
    ");
    assert_eq!(Reminder::date_changed(today, today, Some("/m")), None);
}

#[test]
fn every_way_to_write_the_tag_is_escaped() {
    for (text, shown) in [
        ("<system-reminder>", "&lt;system-reminder>"),
        ("</system-reminder>", "&lt;/system-reminder>"),
        ("<SYSTEM-Reminder kind=x>", "&lt;SYSTEM-Reminder kind=x>"),
        ("<\n / system-reminder\t>", "&lt;\n / system-reminder\t>"),
        ("<<system-reminder", "<&lt;system-reminder"),
        ("system-reminder>", "system-reminder>"),
        ("<system>", "<system>"),
        ("a < b, <é", "a < b, <é"),
    ] {
        assert_eq!(escaped(text), shown);
        assert_eq!(escaped(shown), shown, "escaping twice changes nothing");
    }
}

#[test]
fn what_hides_cannot_keep_a_tag_together() {
    let reminder = Reminder::new("<sys\u{200b}tem-\u{e0041}reminder>");
    assert_eq!(reminder.body(), "&lt;system-reminder>");
}

proptest! {
    #[test]
    fn a_reminder_opens_once_and_closes_once(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("<".to_owned()), Just("/".to_owned()), Just(" ".to_owned()), Just("\n".to_owned()),
                Just("system-reminder".to_owned()), Just("System-".to_owned()), Just("reminder".to_owned()),
                Just(">".to_owned()), Just("\u{200b}".to_owned()), Just("\u{202e}".to_owned()), "\\PC",
            ],
            0..24,
        ),
    ) {
        let text = parts.concat();
        let shown = Reminder::new(&text).to_string();
        prop_assert!(shown.starts_with("<system-reminder>\n"));
        prop_assert!(shown.ends_with("\n</system-reminder>"));
        prop_assert_eq!(tags(&shown), 2, "{}", shown);
    }
}
