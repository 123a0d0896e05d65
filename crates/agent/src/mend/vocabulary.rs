//! Words by which two wordings of one statement may differ, and words by which they may not.
//!
//! Whatever is in no list is a word of its own: where each of two statements has one that the other lacks, they are about
//! two things. So a word belongs in a list here only if nothing could be told apart by it.

/// Words that say nothing which another wording would not say too. No noun that could name a thing, no verb with an
/// opposite, no word of time or order.
pub(super) const SMALL: &str = "\
    use prefer want like rely choose pick adopt employ utilise utilize get got make sure ensure remember note please \
    always generally usually typically normally currently really actually simply basically also already still \
    every each all any both whole entire throughout \
    do does did done is are was were be being been has have having had \
    here there it its this that these those they them we our us you your i my me he she \
    must should shall need needs required require ought have to supposed \
    keep kept stay stays remain live lives located locate reside resides sit sits found find happen happens occur occurs take takes \
    via through using by with within inside per upon thus hence therefore so because since as well which who whose where \
    decide decided agree agreed say said says tell told ask asked \
    not no never dont doesnt didnt isnt arent wasnt werent cannot cant couldnt shouldnt wouldnt wont mustnt avoid avoids avoiding \
    without instead rather than over of from to into for when";

/// The small characters of Chinese.
pub(super) const SMALL_CHARACTERS: &str = "的了着过有地得也都就还会请要应该需必须在是把将被给对和与及而所为于之其此我们你您他她它这那个些吧呢吗啊使用来去进行以务始终总直并且";

/// Words that mean the same, the first of each line for all of them.
pub(super) const SAME: &str = "\
    run execute invoke
    repository repo codebase
    database db
    configuration config configure
    environment env
    development dev
    prod production
    documentation docs doc
    dependency dependencies deps
    directory folder dir
    application app
    authentication auth
    kubernetes k8s
    postgres postgresql
    javascript js
    typescript ts
    golang go-lang
    delete remove erase
    wipe purge clear
    store save persist
    check verify validate
    change modify edit alter
    begin start
    big large
    quick fast rapid
    fix repair
    show display
    allow permit
    create generate
    week weekly
    day daily
    month monthly
    hour hourly
    year yearly annually
    night nightly
    manual manually hand
    automatic automatically
    direct directly straight
    before prior
    people person
    explain explanation
    short brief concise terse
    reply answer response respond
    build compile
    error failure
    old outdated
    broken break breaks breaking broke
    slow slowly
    approve approval sign-off signoff
    message messages
    number count
    own owner owns owned
    lead leads
    write written writes wrote writing
    read reads
    choose chose chosen
    buy bought
    send sent
    hold held
    border boundary
    pr prs
    quarter quarterly";

/// Words that carry a value: another of them says something else. Numbers in words, days, months, and how far a
/// statement reaches.
pub(super) const VALUES: &str = "\
    zero one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred \
    thousand million first second third fourth fifth once twice thrice half double triple single \
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun \
    mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays weekend weekends \
    january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec \
    some most few many several only may might sometimes optional optionally rarely seldom often unless except until off out up down last";

/// Characters of Chinese that carry a value.
pub(super) const VALUE_CHARACTERS: &str = "零一二三四五六七八九十百千万亿两半前后早晚只仅旧新可";

/// Words after which the next one is what it is done to: they may not change places with what stands before.
pub(super) const DIRECTIONS: &str = "over than from to into onto before after against under above below behind for replaces replace replacing not no never \
     without instead of if when unless until";

/// Beginnings of sentences that lean on the sentence before.
pub(super) const LEANING: &str = "it its this that they these those he she his her their them then otherwise there such instead but however so both neither";

/// The same in Chinese.
pub(super) const LEANING_CHARACTERS: &str = "它这那他她其此该否然但";

/// Words by which one part of a sentence hangs on another.
pub(super) const CONDITIONS: &str =
    "if when whenever unless until except while although though but whether once";

/// The same in Chinese.
pub(super) const CONDITION_CHARACTERS: &str = "如果 除非 只有 当 若 但 除了 虽然";

/// Two words that are one.
pub(super) const PAIRS: [(&str, &str, &str); 3] = [
    ("pull", "request", "pr"),
    ("pull", "requests", "prs"),
    ("on", "call", "oncall"),
];
