//! The words by which English sentences are known; `;` stands between two.

use crate::rules::phrases::Phrases;

pub(super) static LEAD_INS: Phrases = Phrases::of(
    "\
    please; pls; plz; also; and; but; so; ok; okay; yes; yep; yeah; yup; no; nope; nah; great; perfect; thanks; thx; ty; \
    thank you; cool; nice; awesome; excellent; hey; hi; hello; hi there; hey there; btw; by the way; oh; ah; ugh; \
    one more thing; one thing; one thing though; one more thing though; small thing though; quick thing; quick one; quick request; so quick thing; so one thing; so one more thing; another thing; last thing; one last thing; small thing; fyi; for your information; just; \
    well; right; actually; hmm; hm; look; listen; again; as i said; like i said; i told you before; i told you already; i already told you; as i told you; like i told you; i've told you before; i've said it before; i said it before; for the record; for the log; good; sure; \
    exactly; kindly; important; note; quick note; side note; note to self; heads up; reminder; \
    quick reminder; friendly reminder; heads-up; a heads-up; quick heads-up; quick heads up; claude; then; agreed; correct; just so you know; so you know; for context; as a bit of background; a bit of background; as background; as context; \
    some context; some background; context; for background; background; ps; p.s; to be clear; in case it matters; in case it helps; \
    in case you wonder; in case you're wondering; oh and; plus; additionally; first; first of all; before i forget; \
    before we start; before you start; while i think of it; while i'm at it; fwiw; for what it's worth; tbh; honestly; \
    frankly; seriously; sorry; looks good; lgtm; sounds good; good job; great job; nice work; great work; good work; \
    well done; that works; works; got it; sorry but; not like that; cheers; morning; good morning; alright; all right; \
    about me; a bit about me; quick intro; intro; small request; request; general rule; house rule; rule; new rule; \
    general note; general feedback; feedback; a note; a quick note; a heads up; for my part; team rule; tip; lastly; \
    finally; secondly; as for me; speaking of me; next; remember though; love it; makes sense; fine; yes please; no thanks; that said",
);

pub(super) static NEED_COMMA: Phrases = Phrases::of(
    "\
    no; right; well; good; look; then; just; important; note; reminder; so; fine; works; first; next; finally; plus; \
    context; background; rule; feedback; request; tip; intro; again; great; nice; cool; sorry; sure; perfect; correct; \
    excellent; morning; that works; about me; looks good; sounds good; that said; love it; exactly; feedback; lastly",
);

pub(super) static QUESTION_OPENINGS: Phrases = Phrases::of(
    "\
    do you; did you; does; did; can you; could you; would you; will you; can we; could we; should we; should i; can i; \
    could i; may i; why; what; what's; whats; how; how's; where; where's; who; who's; which; is; are; was; were; has; \
    have you; isn't; aren't; don't you; didn't; doesn't; won't; i wonder; i'm wondering; do i; do we; if only; any idea; \
    what if; imagine; suppose; supposing; assuming; assume; say; let's say; pretend; would it; would that; should it; \
    hypothetically; according to; tell me; am i; are you; if i; if we; if you were; when did",
);

pub(super) static POLITE: Phrases =
    Phrases::of("can you; could you; would you; will you; can we; could we; would you mind");
pub(super) static POLITE_FILLERS: Phrases = Phrases::of("please; just; maybe; also");
pub(super) static POLITE_REMEMBER: Phrases = Phrases::of(
    "\
    remember that; keep in mind that; make a note that; note down that; remember for next time that; remember for the future that",
);
pub(super) static POLITE_WISHES: Phrases =
    Phrases::of("always; never; stop; from now on; in future; in the future; avoid");
pub(super) static POLITE_SIGNS: Phrases =
    Phrases::of("from now on; in the future; in future; going forward; every time; by default");

pub(super) static FILLERS: Phrases =
    Phrases::of("now; please; just; always; also; please also; maybe; pls; kindly; do");
pub(super) static TO: Phrases = Phrases::of("to");
pub(super) static NO: Phrases = Phrases::of("no");
pub(super) static WE: Phrases = Phrases::of("we");
pub(super) static YOU: Phrases = Phrases::of("you; your; you're; you've");
pub(super) static JOINTS: Phrases = Phrases::of(
    "so; because; but; since; though; although; which; cause; as we; as i; if i; until then; till then",
);
pub(super) static REPORTS: Phrases = Phrases::of(
    "says; said; say; saying; told; wrote; asked; thinks; suggested; recommends; recommended; if",
);

pub(super) static FACT_OPENINGS: Phrases = Phrases::of(
    "\
    that; i; i'm; i've; i'll; we; we're; we've; my; our; he; she; they; the; there; you; it's; all; every; any; a",
);

pub(super) static REMEMBER_PREFACES: Phrases = Phrases::of(
    "\
    i want you to; i'd like you to; i need you to; you should; you must; you need to; for future sessions; for next time; \
    it's important to; try to; make sure to; make sure you; be sure to; would be good to",
);
pub(super) static FOR_LATER: Phrases = Phrases::of(
    "\
    for future reference; for the future; for next time; for future sessions; for later sessions; for your memory; \
    for your notes; note for the future; note for next time; memo; to remember; worth remembering; things to remember; \
    save to memory; add to memory; save this; save this for later; remember for later; remember for next time; remember this",
);
pub(super) static REMEMBER: Phrases = Phrases::of(
    "\
    remember that; remember; remeber that; remeber; rember that; rember; rememer; remmeber; remmember; remembr; rememebr; \
    remebmer; remmber; keep in mind that; keep in mind; keep it in mind that; bear in mind that; bear in mind; \
    make a note that; make a note of; make a mental note that; take note that; take a note that; note down that; \
    note down; jot down that; jot down; write down that; don't forget that; do not forget that; never forget that; \
    don't forget; dont forget that; dont forget; do not forget; save to memory that; save this to memory; \
    save that to memory; save in memory that; add to memory that; add to your memory that; memorize that; memorize; \
    memorise that; memorise; store in memory that; commit to memory that; put in your memory that; please note that; \
    note for the future that; keep a note that; keep note that; save the fact that; remember the fact that; keep in memory that",
);
pub(super) static INTO_A_FILE: Phrases =
    Phrases::of("to; as; in; into; under; at; and; for; too; next time; going; from");
pub(super) static NO_NEED: Phrases =
    Phrases::of("you don't need to; you don't have to; no need to");
pub(super) static ASK_BEFORE: Phrases = Phrases::of(
    "ask me before; ask before; ask first before; check with me before; tell me before; warn me before; ask for permission before; get my ok before",
);
pub(super) static FORGET_NOT: Phrases =
    Phrases::of("don't forget; dont forget; do not forget; never forget");
pub(super) static RECOLLECTIONS: Phrases = Phrases::of(
    "\
    when; how; what; why; where; who; the time; me; it; this; last; us; him; her; about; to thank; those; these days; \
    the other day; yesterday; if; whether; back when; correctly; right; that time; that one; our talk; our discussion; our chat; our call; our meeting; our conversation; our last; seeing; doing; having; \
    reading; the first time; the bug; the discussion; the issue",
);
pub(super) static LASTING: Phrases =
    Phrases::of("always; never; ask me; ask before; check with me; tell me");
pub(super) static LASTING_SIGNS: Phrases = Phrases::of(
    "\
    always; never; every time; each time; whenever; from now on; in the future; in future; every; all future; for all; \
    in all; without asking; going forward; at the end of every; in general; by default; even if; even when",
);
pub(super) static REMINDERS: Phrases = Phrases::of(
    "\
    keep that in mind; keep this in mind; keep it in mind; bear that in mind; bear this in mind; remember that; \
    remember this; remember it; please remember; don't forget that; don't forget it; don't forget this; note that down; \
    note this down; make a note of that; make a note of this; make a note of it; make a note; save that; save this; \
    save that to memory; save this to memory; save it to memory; remember that for next time; remember this for next time; \
    remember that for later; remember that for the future; remember this for the future; keep that in mind for next time; \
    keep that in mind for later; keep that in mind for the future; keep that in mind going forward; worth remembering; \
    remember that going forward; remember that from now on; commit that to memory; add that to your memory; \
    add this to your memory; memorize that; memorize this; remeber that; remeber this; write that down; so remember that; \
    so keep that in mind; you should remember that; you should know that; jot that down; that's a general rule; that's a rule; that's the rule; that is a general rule; \
    this is a general rule; this is a rule; that goes for everything; that goes for all; that applies everywhere; this applies everywhere; that's how we do it here; that's how we do it; that's our policy; that's the policy; that's company policy; that's our rule; that's our convention; that's how we work; that's how we do things; remember that about me",
);
pub(super) static EMPHASES: Phrases = Phrases::of(
    "every time; every single time; always; no exceptions; always please; each time; i mean always; and i mean always; i mean it; ever; ever again; period; full stop; not ever; without exception",
);
pub(super) static REPETITIONS: Phrases = Phrases::of(
    "\
    keep doing that; keep doing it that way; keep doing this; keep it up; keep using it; keep using that; keep using this; do it like this every time; keep it like that; keep it like this; keep to that; \
    do it that way; do that every time; do that from now on; do it like that; stick with that; stick to that; \
    more of that; keep that up; let's keep doing that; do the same; let's always do it; please keep doing that; \
    continue like that; continue doing that; keep working like that; do that again; let's do that every time",
);
pub(super) static PRAISE: Phrases = Phrases::of(
    "\
    worked well; worked really well; worked great; exactly right; right call; good call; great call; good idea; great idea; \
    i like; i liked; i love; i loved; spot on; perfect; excellent; helpful; useful; appreciate; right choice; \
    right approach; good approach; nice approach; great approach; better than; much better; what i wanted; good choice",
);

pub(super) static ONE_OFF: Phrases = Phrases::of(
    "\
    for now; this time; just this once; right now; at the moment; in this function; in this file; in this test; \
    in this commit; in this pr; in this case; in this method; in this class; in this line; in this branch; in this step; \
    here; yet; until i; until we; until the; before i; for the moment; for today; temporarily; in that file; \
    in that function; while i; while you're; this one; that one; in this patch; this session; in this session; this run; \
    in this prototype; for this task; for this pr; for this one; for this commit; today; tonight; tomorrow; just yet; \
    wait until; till i; till we; in this script; in this module; in this query; in this component; in this conversation; \
    in this chat; for this function; for this file; on this branch; for this feature; for this fix; for this change; \
    for this ticket; for the time being; now and; otherwise it; otherwise the; in the new; for the new; \
    this method; this function; this class; this endpoint; this component; this field; this query; this handler; this loop; this call; this struct; this button; this page; this view; in this migration",
);
pub(super) static FOR_THE_MOMENT: Phrases =
    Phrases::of("for now; right now; at the moment; this session; this conversation; in this chat");

pub(super) static FROM_NOW_ON: Phrases = Phrases::of(
    "\
    from now on; from now; from here on; from here on out; from today on; starting now; starting today; as of now; \
    as of today; going forward; moving forward; in future; in the future; as a rule; as a rule of thumb; as a general rule; as a convention; \
    as a matter of principle; henceforth; by default; for all future work; for future work; in all future work; \
    for all future tasks; for future tasks; in all future sessions; for future changes; for all future changes; \
    in general; generally; for all future commits; for all future prs; for future prs; for future commits; \
    next time; the next time; for every future; for any future; until further notice; our convention is; \
    our convention here is; the convention is; the convention here is; our rule is; the rule is; our policy is; \
    we have a rule; we have a convention; my rule is; house rule; for code reviews; for all my projects; across all my projects",
);
pub(super) static HERE_ON: Phrases = Phrases::of("here on");
pub(super) static POLITE_NOT: Phrases = Phrases::of("not");
pub(super) static RULE_NAMES: Phrases = Phrases::of(
    "rule; rules; ground rule; house rule; convention; our convention; team convention; house style; how i want it; how i like it",
);
pub(super) static OTHER_RULES: Phrases = Phrases::of(
    "\
    eslint; css; lint; linter; firewall; iptables; nginx; regex; validation; routing; makefile; business; the rule; this rule; that rule; game; of the game; discount; pricing; which; rule number; rewrite; ingress; alert; alerting; grammar; parser; rules engine; security group; these rules; the rules",
);
pub(super) static POLITE_TO_DO: Phrases = Phrases::of("remember to");
/// A note, when a colon and a fact follow.
pub(super) static NOTES: Phrases = Phrases::of(
    "make a note; take a note; note for later; note this; note this down; write this down; jot this down",
);
pub(super) static FROM_NOW_ON_WITHIN: Phrases = Phrases::of(
    "\
    from now on; from here on; going forward; in all future; for all future; in the future; in future sessions; in every session; \
    as a rule; by default; each and every time; every single time; every time; unless i say otherwise; unless i ask; \
    unless told otherwise; unless i tell you; in all my; in all your; in everything you; in all the docs; you write for me; in your replies; in your answers; in your responses; in your explanations; in your commits; in your commit messages; in your reviews; all answers; all replies; all responses; all commit messages; every answer; every reply; every response; every commit message; unless i switch; unless i write; unless i explicitly; unless i specifically; you write; you create; you generate; you send me; you give me; you produce; you make for me; you show me; you make; whenever you",
);
pub(super) static FORECASTS: Phrases = Phrases::of(
    "\
    the; we'll; i'll; it; there; this; the user; the users; users; the code; the service; the server; the app; the tests; that; \
    i'm going; we might; we may; i might; i may; maybe; the build; the page; is; are; it's; they; he; she; will; \
    i think; i would; we would; we could; i could; i get; i see; i run; i try; we should maybe; i'm; these; the api",
);
pub(super) static HABITS: Phrases = Phrases::of(
    "\
    make it a habit to; make it a habit of; make it a rule to; get in the habit of; get into the habit of; \
    let's make it a habit to; let's make it a habit that; let's make it a rule to; let's make it a rule that; make it a habit that; make it a rule that; let's agree that; \
    make a habit of; it's our convention to; it's a rule here to; our convention is to; the convention here is to; \
    our rule is to; the rule is to; our policy is to; our team convention is to; it's house style to",
);
pub(super) static PREFACES: Phrases = Phrases::of(
    "\
    thing; things; clear; rule; request; note; point; reminder; important; wish; feedback; preference; convention; ask; remark; ps; favour; favor; habit",
);
pub(super) static WEAK_FROM_NOW_ON: Phrases = Phrases::of(
    "\
    in general; generally; by default; in the future; in future; next time; the next time; as of now; from now; starting now; starting today; as of today; until further notice; for code reviews",
);
pub(super) static ORDERS: Phrases = Phrases::of(
    "\
    don't; dont; do not; always; never; i want; i'd like; i would like; i expect; please; no; you should; you must; you need to; only; let's; all; every; we use; we always; we never; avoid; stop; if you; when you; whenever; before you; when i; if i; before i; after you; before every; after every; if a; when a; just; i prefer; i'd prefer; each",
);
pub(super) static FOR_MY_SAKE: Phrases = Phrases::of(
    "\
    i learn better; that helps me; it helps me; helps me understand; easier for me; i can read the diff; makes it easier for me; i can follow; i find that easier; i find it easier; \
    i'll ask if; i can always ask; i hate; i don't like; i prefer that; i like it that way; i read them; i get lost",
);
pub(super) static INDEFINITE: Phrases = Phrases::of(
    "\
    if a; if an; if any; if anything; if something; when a; when an; when something; when anything; once a; before a; before any; if there's; if there are; if there is; if in; when there's; if you",
);
pub(super) static TO_ME: Phrases = Phrases::of("me; ask; tell; i");
pub(super) static USING: Phrases = Phrases::of("use; using; import; importing; introduce");
pub(super) static DETERMINERS: Phrases = Phrases::of(
    "a; an; the; this; that; it; my; your; these; those; them; any of; its; our; his; her; one; two; more",
);
pub(super) static GENERALISES: Phrases = Phrases::of(
    "\
    remember this for; remember that for; keep this in mind for; keep that in mind for; this holds for; that holds for; this applies to; that applies to; this goes for; that goes for; this is true for; same goes for; applies to all; applies to every; true for all; true for every; everywhere; in the whole project; in the whole repo; goes for every; holds for all; holds everywhere; goes for all",
);
pub(super) static LET_ME: Phrases = Phrases::of("let me; let's");
pub(super) static THAN: Phrases = Phrases::of("than");
pub(super) static MORE: Phrases = Phrases::of("more of; more; more of the");
pub(super) static OUR_WAY: Phrases = Phrases::of(
    "\
    we use; we write; we name; we format; we indent; we spell; we do; we put; we call; we go with; we test against; we build with; we log with; we stick to; we stick with; we test with; we deploy with; we commit; we squash; we rebase; we keep; i use; i write",
);
pub(super) static OUR_PLACE: Phrases = Phrases::of(
    "\
    in this repo; in this repository; in this project; in this codebase; on this team; in our team; on our team; in our codebase; in our repo; in our code; at our company",
);
pub(super) static SYMPTOMS: Phrases = Phrases::of(
    "\
    if you see; if you get; if you hit; if you run into; if you encounter; if you notice; if you click; if you run; if you open; when you see; when you get; when you hit; \
    when you run into; when you click; when you open; when you run; when you start; once you click",
);
pub(super) static CONTRAST: Phrases = Phrases::of(
    "not; instead of; rather than; never; over; everywhere; in this repo; in this project; in this codebase",
);
pub(super) static RECURRING: Phrases =
    Phrases::of("whenever; every time; each time; any time; anytime");
pub(super) static ABOUT_WORK: Phrases = Phrases::of("in; for; on; with; when writing; when naming");
pub(super) static ALWAYS: Phrases = Phrases::of("always");
pub(super) static NEVER: Phrases = Phrases::of(
    "\
    never; never ever; don't ever; dont ever; do not ever; under no circumstances; at no point",
);
pub(super) static NEVER_MIND: Phrases = Phrases::of(
    "mind; got; mentioned; say never; heard; seen; again; fear; see; happen; reach; be; gonna; going to; thought; would; could; will",
);
pub(super) static STOP: Phrases = Phrases::of("stop; quit; please stop; just stop");
pub(super) static AVOID: Phrases = Phrases::of("avoid; steer clear of; stay away from");
pub(super) static BANS: Phrases = Phrases::of(
    "don't; dont; do not; refrain from; you don't need to; you don't have to; no need to",
);
pub(super) static ONLY: Phrases = Phrases::of("only ever");
/// What stands under a folder is someone else's, today and tomorrow.
pub(super) static GUARDED: Phrases = Phrases::of(
    "touch files under; touch files in; touch anything in; touch anything under; touch anything inside; touch the files in; touch the files under; edit files under; edit files in; edit anything in; edit anything under; modify anything in; modify anything under; modify files in; modify files under; change anything in; change anything under; change files in; change files under",
);
pub(super) static KEEP: Phrases = Phrases::of("keep");
pub(super) static ORDER_PREFACES: Phrases = Phrases::of(
    "\
    you should; you must; you need to; you have to; i want you to; i'd like you to; i need you to; i expect you to; \
    make sure to; make sure you; make sure; be sure to; try to; we; i'd appreciate it if you; i would like you to; \
    you shall; you may; you can; we should; we must; i'd like to ask you to; i ask you to; it would be great if you; \
    in general; if possible; i'd love it if you; would be great if you; would be great if you could; it would be great if you could; would be nice if you; would be nice if you could; it would be nice if you; it would be nice if you could; i'd be happy if you",
);
pub(super) static OCCURRENCES: Phrases = Phrases::of(
    "\
    get; see; hit; end up; run into; receive; have; need; had; got; lose; seem; fail; find; knew; wanted; do this; do it; did; want",
);
pub(super) static GOING_ON: Phrases = Phrases::of(
    "going; trying; looking; working; digging; running; debugging; searching; reading; waiting",
);
pub(super) static MANNERS: Phrases = Phrases::of(
    "\
    short; shorter; small; smaller; terse; brief; concise; minimal; atomic; simple; like that; like this; to the point; \
    focused; plain; in english; under; below; to one; to a; free of; separate; flat; casual; formal; professional; succinct",
);
pub(super) static MANNER_OBJECTS: Phrases = Phrases::of(
    "\
    your; commits; commit messages; answers; replies; responses; explanations; summaries; functions; prs; \
    pull requests; diffs; messages; changes; code comments; comments; lines; the tone; tests; imports",
);
pub(super) static SCOPES: Phrases = Phrases::of(
    "\
    when; whenever; every time; each time; any time; anytime; in; for; on; before; after; if; with; while; as long as; \
    inside; unless; once",
);
pub(super) static WORKING_SCOPES: Phrases = Phrases::of(
    "\
    in this repo; in this repository; in this project; in this codebase; for this project; for this repo; in our; in my; \
    for all; for every; for any; in all; in every; whenever; every time; before committing; before pushing; \
    after editing; when writing; when adding; when committing; when reviewing; when naming; when editing; when fixing; \
    when refactoring; when explaining; when testing; when debugging; before every; after every; before each; after each; \
    before any; after any; when in doubt; if in doubt; if unsure; when unsure; if anything is unclear; \
    before merging; before deploying; after finishing; when finished; on every; when creating; when changing; \
    for commit messages; for commits; for tests; for code examples; for naming; when answering; when replying; in code; in tests; in commit messages; for big changes; for larger changes; for small changes; for anything; when i ask; when i say; when i paste; when i send; when i give you; when i write; when i share",
);
pub(super) static PREFERENCES: Phrases = Phrases::of(
    "\
    i much prefer; i strongly prefer; i really prefer; i generally prefer; i usually prefer; i always prefer; i prefer; \
    we prefer; i'd prefer it if you; i would prefer it if you; i prefer it if you; i'd like it if you; i'd appreciate it if you; i'd love it if you; i'd prefer; i would prefer; i'd much prefer; my preference is; my preference is for; i'd rather you; i would rather you; \
    i'd rather have; i'd rather see; i'd rather get; i like it when; i really like it when; i like to have; i love it when; i really love it when; i hate it when; i hate; i can't stand; \
    i dislike; i really dislike; i don't like it when; i don't like when; i don't like; i don't want you to; i don't want to see; i don't ever want to see; \
    i never want; i never want to see; i never want to have; i always want; i want you to always; i want you to never; i always use; i never use; i only use; \
    i no longer use; we no longer use; we only use; we never use; we always use; i'm not a fan of; not a fan of; \
    i'm a fan of; i'm a big fan of; we don't do; we don't use; we avoid; i like my; i like short; i like small; \
    i prefer it when; i find it annoying when; it annoys me when; it bugs me when; i appreciate it when; drives me crazy when",
);
pub(super) static PICKS: Phrases = Phrases::of(
    "\
    the first; the second; the third; the latter; the former; the other; option; number; your; a; b; not; to wait; \
    to keep this; to have this; how; what; when this; when that; to see; where; about; him; her",
);
pub(super) static CHOICES: Phrases = Phrases::of(
    "\
    option; approach a; approach b; your version; your suggestion; of the two; that approach; this approach; \
    this version; that version; these two; either",
);
pub(super) static WORK_PRODUCTS: Phrases = Phrases::of(
    "\
    reviews; examples; code samples; snippets; documentation; new files; new features; refactorings; refactors; bug fixes; config files; scripts; \
    commit messages; commits; commit subjects; branch names; branches; tests; test names; unit tests; integration tests; \
    error messages; log messages; comments; code comments; docstrings; doc comments; variable names; function names; \
    names; prs; pull requests; pr titles; pr descriptions; migrations; changelog entries; changelogs; release notes; docs; replies; answers; \
    explanations; code reviews; imports; type hints; file names; filenames; public functions; new code; all code; \
    all tests; all commits; all new; every commit; every pr; every function; every test; every change; every new; \
    each commit; each pr; any new; all public; all error messages; all commit messages; your replies; your answers; \
    your responses; your explanations; your commits; your commit messages; anything you write; code examples; dates; timestamps",
);
pub(super) static MUSTS: Phrases = Phrases::of(
    "\
    should; must; shouldn't; mustn't; need to; needs to; have to; has to; are to be; may not; start with; are always; \
    are never; always; never; ought to; go in; gets; get",
);
pub(super) static OUTCOMES: Phrases = Phrases::of(
    "\
    pass; work; be green; be fixed; run; be removed; be deleted; be updated; now; be there; fail; get; be fine; be ok; \
    time; been; a; the; passing; failing; fixed; stuck; skipped; ignored; lost; be passing; be working; be able; broken; \
    fails; crash; crashes; be moved; be renamed; still",
);
pub(super) static CONFIRMATIONS: Phrases = Phrases::of(
    "\
    good call on; great call on; nice call on; good call to; good choice to; great choice to; good idea to; great idea to; \
    that was the right call to; it was the right call to; you were right to; i like that you; i like how you; \
    i really like how you; i liked that you; i liked how you; i really liked that you; i appreciate that you; \
    i appreciate how you; i love how you; i love that you; i loved that you; glad you; i'm glad you; good thing you; \
    thanks for always; it was right to; it was good that you; it's great that you; it's good that you; i really like that you",
);
pub(super) static CONFIRMED: Phrases = Phrases::of(
    "\
    worked well; worked really well; worked very well; worked great; worked perfectly; worked out well; worked out great; \
    worked nicely; worked out nicely; works well for me; works really well for me; was exactly right; is exactly right; was spot on; was the right call; \
    was the right choice; was the right move; was the right decision; was the right approach; was the right thing to do; \
    is the right approach; is the right call; was a good call; was a great call; was a good choice; was a great choice; was a good idea; was a great idea; \
    was a good move; was a smart move; is exactly what i wanted; is exactly what i want; was exactly what i wanted; \
    is exactly how i like it; was exactly what i needed; is exactly what i needed; is how i like it; was perfect; was very helpful; was really helpful; was super helpful; was so helpful; was the way to go; is the way to go",
);
pub(super) static DEEDS: Phrases = Phrases::of(
    "a; an; one; the way you; how you; small; separate; splitting; short; two; doing; your habit of; your idea of; your idea to; your decision to; the decision to; the idea to; the idea of",
);
pub(super) static HESITATION: Phrases =
    Phrases::of("but; still; however; though; except; unfortunately; not; until; if; instead");
pub(super) static PRONOUNS: Phrases =
    Phrases::of("this; that; these; those; it; them; its; it's; that's");
pub(super) static AT_HAND: Phrases = Phrases::of(
    "\
    this; that; these; those; it; them; the test; the file; the function; the bug; the build; the error; the server; \
    the branch; the pr; the code; the above; the fix; the first; the second; the last; the new; the old; the same; \
    the button; the page; the form; the missing; the import; the failing; the next; the previous; the other; the column",
);
pub(super) static NOT_AT_HAND: Phrases = Phrases::of(
    "\
    in this repo; in this repository; in this project; in this codebase; this project; this repo; this codebase; \
    so that; that are; that is; that only; like this; like that; that just; that doesn't; that aren't; that isn't; that can; that have",
);
pub(super) static AGAIN: Phrases = Phrases::of(
    "\
    again; anymore; any more; ever; without asking; without my; unless i; unless asked; in commit messages; in tests; \
    in production code; in this repo; in this project; in this codebase; in our code; in my code; every time; \
    in future; in the future; from now on; on your own; all the time; when you; whenever; for me; in your answers; \
    in your replies; in general; so often; by default; each time; after every; at the end of; in commits",
);
pub(super) static NOT_BANS: Phrases = Phrases::of(
    "\
    worry; bother; mind; care; know; think; see; understand; get; have; want; need; remember; forget; be; feel; you; we; \
    they; i; panic; rush; hesitate; give up; tell anyone; even; really; believe; give; look; go; let",
);
pub(super) static BANNED_VERBS: Phrases = Phrases::of(
    "\
    use; using; add; adding; write; writing; put; putting; mock; mocking; commit; committing; create; creating; import; \
    importing; include; including; amend; amending; force-push; mention; explain; summarize; summarise; \
    summarizing; suggest; suggesting; ask; asking; end; start; begin; repeat; abbreviate; hardcode; hard-code; nest; \
    introduce; introducing; guess at; assume; make up; invent; swallow; catch; generate; describe; comment; log; print; \
    squash; edit; modify; reformat; leave",
);
pub(super) static BANNED_HABITS: Phrases = Phrases::of(
    "\
    apologize; apologise; apologizing; over-engineer; overengineer; guess; make up; invent; flatter; praise; summarize; summarise; \
    sugarcoat; sugar-coat; be so verbose; mock; hardcode; hard-code; abbreviate; force-push; force push; nest; over-explain; overexplain",
);
pub(super) static DESCRIPTIONS: Phrases = Phrases::of(
    "\
    is; are; was; were; has; have; found; failed; exists; need; idea; problem; worries; longer; one; way; errors; error; \
    matter; thanks; wonder; doubt; rush; hurry",
);
pub(super) static UNWANTED_THINGS: Phrases = Phrases::of(
    "\
    emoji; emojis; comments; semicolons; tabs; abbreviations; trailing; em dashes; em-dashes; default exports; mocks; \
    mocking; globals; global state; ternaries; bullet; bullets; bullet points; filler; fluff; preamble; summaries; \
    summary; co-authored-by; co-author; apologies; exclamation; force pushes; force-pushing; merge commits; unwrap; \
    unwraps; any types; inline styles; magic numbers; one-letter; single-letter; print statements; console.log; \
    todo comments; todos; new dependencies; emoticons; jargon; markdown; headers; headings; wildcard imports; \
    star imports; relative imports; small talk; flattery; hype; buzzwords; passive voice; smileys; sugarcoating; \
    commented-out; dead code; deploys; deployments; direct pushes; direct commits; unrelated changes; drive-by; hacks; shortcuts; stubs; placeholders; oxford comma; surprises; snake case; camel case; lombok; jquery; var; \u{1}",
);
pub(super) static STATES: Phrases = Phrases::of(
    "\
    the; a; an; there; been; had; has; have; is; was; were; gets; got; wanted; wondered; thought; knew; liked; loved; \
    good; nice; happy; welcome; fun; possible; on; off; null; true; false; empty; returns; fails; says; shows; throws",
);
pub(super) static PAST: Phrases = Phrases::of(
    "\
    had; seen; been; happened; heard; got; ran; saw; said; did; done; was; were; knew; thought; found; gotten; made; \
    took; gave; went; came; understood; felt; met; read it; written; learnt; finishes; works; ends; returns; comes; \
    gets; happens; terminates; goes; stops; runs; fires; fails; shows; has; is; arrives; loads; completes; starts",
);
pub(super) static ENDS_IN_S: Phrases = Phrases::of("focus; canvas; alias; bias; discus");
pub(super) static ENDS_IN_ED: Phrases =
    Phrases::of("embed; need; feed; seed; speed; proceed; exceed; red; bleed; shed");
pub(super) static THINGS_IN_ING: Phrases = Phrases::of(
    "something; anything; everything; nothing; string; thing; bring; during; spring; being",
);
pub(super) static IMPERATIVES: Phrases = Phrases::of(
    "\
    quarantine; isolate; escalate; flag; raise; point out; stub; extract; inline; annotate; cover; benchmark; measure; profile; paste; attach; link; \
    rename; reuse; prioritise; prioritize; focus; assume; consider; think; walk me; take; get; go; pick; choose; set; fix; stop; simplify; remove; delete; drop; clean up; hand; submit; merge; fail; throw; raise; store; validate; copy; note; state; highlight; spell out; break; bundle; separate; order; capitalise; capitalize; \
    use; run; write; add; ask; answer; reply; respond; explain; show; give; prefer; put; name; format; commit; push; \
    create; include; start; begin; end; check; test; keep; make sure; make; be; leave; tell; try; wrap; group; sort; sign; \
    squash; rebase; document; return; log; speak; talk; stick; stay; follow; read; open; propose; suggest; warn; confirm; \
    wait; treat; target; pin; mention; list; deploy; build; send; call; refer to; update; bump; split; limit; \
    skip; verify; double-check; double check; let me; please; address; do; work; favor; favour; cite; quote; report; review; consult; \
    default to; indent; spell; translate; number; prefix; tag; label; look up; look; only; lead with; summarize; summarise",
);
pub(super) static TAILS: Phrases = Phrases::of(
    "\
    from now on; going forward; for future reference; in future; as a rule; remember that; keep in mind that; \
    don't ever; in the future please; please remember that; from here on; bear in mind that; next time",
);
pub(super) static PERSONAL: Phrases = Phrases::of(
    "\
    i'm; i am; my; i have; i've; i work; i live; i know; i don't know; i speak; i use; i was; i run; i can; i can't; i own",
);
pub(super) static FEEDBACK_OPENINGS: Phrases = Phrases::of(
    "\
    let;     i prefer; i like; i hate; don't; dont; do not; always; never; i want; i always; i never; no; avoid; stop; you can; you may; you should; you must; you shouldn't; you needn't",
);
pub(super) static FACT_PREFACES: Phrases = Phrases::of(
    "\
    you should know that; you should know; i should mention that; i should mention; i should say that; i should add that; \
    it may help to know that; it helps to know that; for what it's worth; please be aware that; be aware that; \
    i guess i should mention; note that; please note that; let me mention that; let me add that; don't forget that; as you know",
);
