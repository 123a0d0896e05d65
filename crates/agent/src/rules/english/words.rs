//! The words by which English sentences are known; `;` stands between two.

pub(super) const LEAD_INS: &str = "\
    please; pls; also; and; but; so; ok; okay; yes; yep; yeah; no; nope; great; perfect; thanks; \
    thank you; cool; nice; hey; hi; hello; btw; by the way; oh; one more thing; fyi; just; well; right; \
    actually; hmm; look; listen; again; as i said; for the record; good; sure; exactly; kindly; \
    important; note; heads up; quick note; reminder; claude; then; agreed; correct";

pub(super) const LEAD_INS_WITH_COMMA: &str = "\
    no; right; well; good; look; then; just; important; note; reminder; so";

pub(super) const QUESTION_OPENINGS: &str = "\
    do you; did you; does; can you; could you; would you; will you; can we; could we; should we; \
    should i; can i; could i; may i; why; what; what's; how; where; who; which; is; are; was; were; has; \
    have you; isn't; aren't; don't you; didn't; i wonder; do i; do we; if only; any idea; what if";

pub(super) const FORGET_OBJECTS: &str = "\
    everything i told you about; everything about; everything you know about; what i said about; \
    what i told you about; about; that; my; the";

pub(super) const VAGUE_OBJECTS: &str = "\
    it; this; that; me; them; him; her; the last; the previous; the error; the test; the above";

pub(super) const REMEMBER_PREFACES: &str = "\
    i want you to; i'd like you to; i need you to; you should; you must; you need to; \
    for future sessions; for next time";

pub(super) const REMEMBER: &str = "\
    remember that; remember; keep in mind that; keep in mind; bear in mind that; bear in mind; \
    make a note that; make a note; take note that; don't forget that; do not forget that; \
    never forget that; don't forget; do not forget; save to memory that; save to memory; \
    save this to memory; save that to memory; save in memory that; add to memory that; add to memory; \
    memorize that; memorize; store in memory that; commit to memory that; put in your memory that; \
    note for the future";

pub(super) const RECOLLECTIONS: &str = "\
    when; how; what; why; where; who; the time; me; it; this; last; us; him; her; about; to thank; those; \
    these days; the other day";

pub(super) const FOR_NOW: &str = "\
    for now; this time; just this once; right now; at the moment; in this function; in this file; \
    in this test; in this commit; in this pr; in this case; in this method; in this class; in this line; \
    in this branch; in this step; here; yet; until i; until we; before i; for the moment; for today; \
    temporarily; in that file; in that function; while i; this one; that one; in this patch; \
    this session; in this session; this run";

pub(super) const FROM_NOW_ON: &str = "\
    from now on; going forward; moving forward; in future; in the future; as a rule; as a general rule; \
    henceforth; by default";

pub(super) const FORECASTS: &str = "\
    we'll; i'll; it; there; this will; the; that; i'm going; we might; we may; i might; i may; maybe";

pub(super) const ORDER_PREFACES: &str = "\
    you should; you must; you need to; you have to; i want you to; i'd like you to; i need you to; \
    i expect you to; make sure to; make sure you; make sure; be sure to; try to; we";

pub(super) const MANNERS: &str = "\
    short; small; terse; brief; concise; minimal; atomic; simple; like that; like this";

pub(super) const MANNER_OBJECTS: &str = "\
    your; commits; commit messages; answers; replies; responses; explanations; summaries; functions; prs; \
    pull requests; diffs; messages";

pub(super) const SCOPES: &str = "\
    when; whenever; every time; each time; any time; in; for; on; before; after; if; with; while; \
    as long as; inside; unless";

pub(super) const WORKING_SCOPES: &str = "\
    in this repo; in this repository; in this project; in this codebase; for this project; for this repo; \
    in our; in my; for all; for every; for any; in all; in every; whenever; every time; \
    before committing; before pushing; after editing; when writing; when adding; when committing; \
    when reviewing; when naming; when editing; when fixing; when refactoring; when explaining; \
    when testing; when debugging";

pub(super) const PREFERENCES: &str = "\
    i much prefer; i strongly prefer; i really prefer; i generally prefer; i usually prefer; \
    i always prefer; i prefer; we prefer; i'd prefer; i would prefer; my preference is; i'd rather you; \
    i would rather you; i like it when; i like to have; i love it when; i hate it when; i hate; \
    i can't stand; i dislike; i don't like it when; i don't want you to; i don't want to see; \
    i never want; i always want; i want you to always; i want you to never; i always use; i never use; \
    i only use; i no longer use; we no longer use; we only use; we never use; we always use";

pub(super) const PICKS: &str = "\
    the first; the second; the third; the latter; the former; the other; option; number; your; a; b; not; \
    to wait; to keep this; to have this; how; what; when this; when that";

pub(super) const CONFIRMATIONS: &str = "\
    good call on; great call on; good call to; good choice to; great choice to; \
    that was the right call to; it was the right call to; you were right to; i like that you; \
    i like how you; i really like how you; i appreciate that you; i love how you; i love that you";

pub(super) const PERSON_OPENINGS: &str = "\
    my name is; my name's; call me; please call me; you can call me; my pronouns are; my job is; \
    my role is; my background is; my timezone is; my time zone is; my native language is; \
    my first language is; my team; i'm responsible for; i am responsible for; i'm in charge of; \
    i am in charge of; i work as; i work at; i work for; i work in; i work on the; i live in; \
    i'm based in; i am based in; i manage the; i lead the; i maintain; i'm new to; i am new to; \
    i'm fluent in; i speak; i come from; i'm colour-blind; i'm colorblind; i am colorblind; i'm dyslexic; \
    i use a screen reader; i no longer work";

pub(super) const VAGUE_PERSON: &str = "\
    this; that; it; when; back; later; if; the bug; the fix";

pub(super) const ROLE_OPENINGS: &str = "\
    i'm a; i'm an; i am a; i am an; i'm the; i am the; i'm mostly a; i'm primarily a; i'm mainly a; as a";

pub(super) const INEXPERIENCE: &str = "\
    never written; never used; never touched; never worked with; no experience with; no experience in; \
    little experience with; zero experience with";

pub(super) const EXPERIENCE_VERBS: &str = "\
    writing; using; working; coding; programming; building; doing; developing; managing; written; used; \
    worked; never; no; little; zero; over; about; almost; more than; around";

pub(super) const ROLES: &str = "\
    engineer; developer; programmer; scientist; designer; manager; lead; student; researcher; analyst; \
    architect; administrator; admin; sysadmin; sre; founder; cofounder; co-founder; teacher; writer; \
    consultant; freelancer; contractor; intern; beginner; novice; cto; ceo; vp; director; maintainer; \
    dba; devops; tester; professor; physicist; biologist; mathematician; statistician; economist; lawyer; \
    doctor; nurse; journalist; hobbyist; expert; veteran; newcomer; specialist; technician; dev; swe; pm; \
    owner; postdoc; phd; head; rustacean; pythonista";

pub(super) const THINGS: &str = "\
    bugs; issues; tickets; dashboards; dashboard; runbook; runbooks; docs; documentation; designs; \
    design; mockups; specs; spec; metrics; logs; alerts; secrets; roadmap; board; wiki; schedule; \
    postmortems; incidents; questions; requests; credentials; experiments; datasets; data; builds; \
    releases; announcements; notes; minutes; tasks; backlog; playbook; playbooks; rota; guide; \
    guidelines; tracker; reports; traces; errors; crashes; reviews; assets; contracts; invoices; \
    feature flags; flags; models; translations; changelog";

pub(super) const SYSTEMS: &str = "\
    linear; jira; notion; confluence; slack; grafana; datadog; sentry; pagerduty; figma; google docs; \
    google drive; gdrive; sharepoint; trello; asana; github issues; github projects; gitlab; bitbucket; \
    airtable; miro; discord; teams; zendesk; kibana; splunk; looker; tableau; metabase; wandb; mlflow; \
    vault; 1password; bitwarden; opsgenie; statuspage; launchdarkly; youtrack; clickup; basecamp; \
    dropbox; snowflake; bigquery; prometheus; honeycomb; new relic; rollbar; bugzilla; intercom; hubspot; \
    salesforce; zulip; mattermost; outline; coda; monday; shortcut; phabricator; redash; superset; \
    crowdin; lokalise; weblate; s3; lastpass";

pub(super) const LOCATIONS: &str = "\
    live in; lives in; live on; lives on; live at; lives at; are tracked in; is tracked in; \
    are tracked on; is tracked on; are documented in; is documented in; are kept in; is kept in; \
    are stored in; is stored in; are in; is in; are on; is on; are at; is at; are filed in; go in; go to; \
    goes to; go into; are managed in; is managed in; are maintained in; is maintained in; are posted in; \
    are listed in; can be found in; can be found at; can be found on; track; are reported in; happen in; \
    get posted to; are published on; are hosted on";

pub(super) const NOT_ABOUT_A_PLACE: &str = "\
    this; that; it; there; i; if; when; look; check; open; go; fetch; read; add; put; move; create; fix; \
    post; update; write; send; make; copy; delete; let's";

pub(super) const TRACKERS: &str = "\
    we track; we keep; i track; i keep; we file; we store; we document; our team tracks; the team tracks";

pub(super) const BROKEN: &str = "\
    down; broken; failing; fails; wrong; missing; empty; slow; not";

pub(super) const PLANS: &str = "\
    deadline; release; releasing; released; releases; launch; launching; launches; freeze; freezing; \
    frozen; ship; ships; shipping; demo; migration; migrate; migrating; cutover; due; go live; \
    going live; goes live; rollout; rolling out; sunset; sunsetting; deprecate; deprecating; end of life; \
    on call; on-call; on vacation; on leave; out of office; code freeze; offsite; audit; beta; ga; cut; \
    cutting; switching; switch over; moving to; retire; retiring; shutting down; shut down; starts; \
    begins; ends; expires; joins; leaves; leaving; takes over; taking over; kickoff; conference; \
    presentation; merge freeze";

pub(super) const PLANNERS: &str = "\
    we; we're; we'll; our; the; my team; marketing; legal; sales; product; management; code; merge; \
    version; v1; v2; v3; v4; beta; support; a; an; all; everyone; deadline; release; launch; \
    feature freeze; i'm on; i'm out; i am on; i'll be on; i'll be out";

pub(super) const NOT_PLANNERS: &str = "\
    i; i'll; i'm; it; this; that; let's; there";

pub(super) const PAST_EVENTS: &str = "\
    yesterday; last week; last month; ago; was; were; shipped; broke; failed; fails; failing; error; log; \
    logs; flaky";

pub(super) const MONTHS: &str = "\
    january; february; march; april; may; june; july; august; september; october; november; december; \
    jan; feb; mar; apr; jun; jul; aug; sep; sept; oct; nov; dec";

pub(super) const IMPERATIVES: &str = "\
    use; run; write; add; ask; answer; reply; respond; explain; show; give; prefer; put; name; format; \
    commit; push; create; include; start; begin; end; check; test; keep; make sure; be; leave; tell; try; \
    wrap; group; sort; sign; squash; rebase; document; return; log; speak; talk; stick; stay; follow; \
    read; open; propose; suggest; warn; confirm; wait; assume; treat; target; pin; mention; list; deploy; \
    build; send; call; refer to; update; bump; split; limit; skip; verify; double-check; let me; please";

pub(super) const BANNED_VERBS: &str = "\
    use; using; add; adding; write; writing; put; putting; mock; mocking; commit; committing; push; \
    pushing; create; creating; import; importing; include; including; amend; amending; force-push; force; \
    mention; explain; summarize; summarise; summarizing; apologize; apologise; apologizing; suggest; \
    suggesting; ask; asking; call; end; start; begin; repeat; abbreviate; hardcode; hard-code; nest; \
    introduce; introducing; over-engineer; overengineer; guess; assume; make up; invent; edit; modify; \
    run; touch; rebase; squash; merge; deploy; install; log; print; swallow; catch; generate; rename; \
    refactor; reformat; describe; comment; praise; flatter; say; tell; give; show; leave";

pub(super) const AGAIN: &str = "\
    again; anymore; any more; ever; without asking; unless i; unless asked; in commit messages; in tests; \
    in production code; in this repo; in this project; in this codebase; in our code; in my code; \
    every time";

pub(super) const NOT_BANS: &str = "\
    worry; bother; mind; care; know; think; see; understand; get; have; want; need; remember; forget; be; \
    feel; you; we; they; i";

pub(super) const DESCRIPTIONS: &str = "\
    is; are; was; were; has; have; found; failed; exists; need; idea; problem; worries; longer; one; way; \
    errors; error; matter; thanks; wonder; doubt; rush; hurry";

pub(super) const UNWANTED_THINGS: &str = "\
    emoji; emojis; comments; semicolons; tabs; abbreviations; trailing; em dashes; em-dashes; \
    default exports; mocks; mocking; globals; global state; ternaries; bullet; bullets; filler; fluff; \
    preamble; summaries; summary; co-authored-by; co-author; apologies; exclamation; force pushes; \
    force-pushing; merge commits; unwrap; unwraps; any types; inline styles; magic numbers; one-letter; \
    single-letter; print statements; console.log; todo comments; todos; new dependencies; emoticons; \
    jargon; markdown; headers; headings; \u{1}";

pub(super) const AT_HAND: &str = "\
    this; that; these; those; it; them; the test; the file; the function; the bug; the build; the error; \
    the server; the branch; the pr; the code; the above; the fix; the first; the second; the last; \
    the new; the old; the same";

pub(super) const NOT_AT_HAND: &str = "\
    in this repo; in this repository; in this project; in this codebase; this project; this repo; \
    this codebase; so that; that are; that is";

pub(super) const STATES: &str = "\
    the; a; an; there; been; had; has; have; is; was; were; gets; got; wanted; wondered; thought; knew; \
    liked; loved; good; nice; happy; welcome; fun; possible";

pub(super) const PAST: &str = "\
    had; seen; been; happened; heard; got; ran; saw; said; did; done; was; were; knew; thought; found; \
    gotten; made; took; gave; went; came; understood; felt; met; read it; written; learnt; finishes; \
    works; ends; returns; comes; gets; happens; terminates";

pub(super) const PERSONAL: &str = "\
    i'm; i am; my; i have; i've; i work; i live; i know; i don't know; i speak";

pub(super) const FEEDBACK_OPENINGS: &str = "\
    i prefer; i like; i hate; don't; do not; always; never; i want; i always; i never; no";
