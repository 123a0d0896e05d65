//! The words by which facts are known; `;` stands between two.

use crate::rules::phrases::Phrases;

// Who they are.

pub(in crate::rules::english) static PERSON_OPENINGS: Phrases = Phrases::of(
    "\
    my name is; my name's; call me; please call me; you can call me; my pronouns are; my job is; my role is; \
    my background is; my timezone is; my time zone is; my native language is; my first language is; \
    my mother tongue is; i'm responsible for; i am responsible for; i'm in charge of; i am in charge of; i work as; \
    i work at; i work for; i work in; i work out of; i work part time; i work part-time; i work full time; i work from; i work remotely; i work nights; i work night shifts; i work shifts; i work alone; i work with; i work mostly; i mostly work; i mainly work; i usually work; i primarily work; \
    i live in; i'm based in; i am based in; i maintain; i'm new to; i am new to; i'm fluent in; i speak; i come from; \
    i use a screen reader; i no longer work; i studied; i study; i teach; i have a degree; i have a phd; i did my phd in; i did my master in; i did my masters in; i did my degree in; i did a phd in; \
    i have a background; i've a background; my day job is; my day job; i trained as; i used to be; i used to work; \
    i grew up; i own a; my favourite; my favorite; my editor is; my main language is; my main languages are; \
    my primary language is; my strongest language is; my shell is; my os is; my operating system is; my machine is; \
    my laptop is; my work laptop; my dev machine; my setup is; my keyboard; i mostly write; i mainly write; \
    i mostly do; i mainly do; i do mostly; i do mainly; i code mostly; i write mainly; i mostly use; i mainly use; i only know; i barely know; i hardly know; \
    i know nothing about; i know very little about; i know almost nothing about; i don't know much about; i don't know a lot about; i know a lot about; i know little about; i know next to nothing about; i'm not great with; i'm not great at; i'm not good at; i'm not good with; i'm clueless about; i don't know any; i don't speak; \
    i have no experience; i have zero experience; i have little experience; i have a lot of experience; i'm learning; \
    i am learning; i'm self-taught; i'm still learning; i just started learning; i only started learning; \
    i started learning; i don't code; i can't code; i rarely write; i write mostly; i'm comfortable with; \
    i'm not comfortable with; i'm familiar with; i'm not familiar with; i'm not very familiar with; \
    i'm unfamiliar with; i'm experienced; i'm from; i am from; i'm originally; i recently joined; i just joined",
);
pub(in crate::rules::english) static VAGUE_PERSON: Phrases = Phrases::of(
    "\
    this; that; it; when; back; later; if; the bug; the fix; once; on; branch; a branch; the branch; a worktree; parallel; \
    same page; the same page; latest; the latest; main; master; wrong; right; version; a fork; to fix; to add; up; as soon; \
    edge; fence; phone; train; way; other branch; old version; new version; staging; a different; the other; a feature; \
    crazy; mad; whatever; the wrong; the right; how to; the function; the file; the page; a shell; node; python; to deploy; the error; mobile; vpn; the vpn; test; error; breaking; causing; the outage; the mess; nothing",
);
pub(in crate::rules::english) static MY: Phrases = Phrases::of("my");
pub(in crate::rules::english) static BEINGS: Phrases =
    Phrases::of("is; are; runs; was; isn't; aren't");
pub(in crate::rules::english) static PERSONAL_NOUNS: Phrases = Phrases::of(
    "\
    machine; laptop; workstation; editor; ide; language; languages; os; shell; stack; timezone; time zone; background; role; job; job title; title; employer; company; degree; hobby; keyboard; \
    terminal; setup; name; surname; nickname; pronouns; birthday; working hours; office hours; manager; boss; specialty; speciality; focus; expertise; username; user name; handle; github handle; strength; strengths; weakness; field; profession; major; domain; desktop; computer; area; location; city; day job",
);
pub(in crate::rules::english) static AILING: Phrases = Phrases::of(
    "\
    slow; broken; down; dead; frozen; crashing; gone; full; wrong; failing; not; stuck; acting; complaining; set to; missing; undefined; null; empty; too; hanging; lagging; out of; freezing; overheating; asking; telling; going; on fire; waiting; using; showing; in the; listed; shown; displayed; misspelled",
);
pub(in crate::rules::english) static LEADS: Phrases = Phrases::of(
    "i run; i lead; i manage; i head; i own; i run the; i'm on the; i am on the; i'm part of the; i'm with the; i joined the; i'm on a; i'm part of a; i oversee; i coordinate; i look after",
);
pub(in crate::rules::english) static TEAMS: Phrases = Phrases::of(
    "\
    team; teams; rotation; on-call; oncall; department; group; program; programme; consultancy; studio; firm; practice; foundation; organisation; organization; nonprofit; community; platform; product; company; business; startup; lab; \
    people; engineers; developers; services; shop; agency; guild; squad; chapter; division; office; infra; infrastructure; hospital; school; university; clinic; bank",
);
pub(in crate::rules::english) static USES: Phrases = Phrases::of(
    "\
    i use; i'm using; i usually use; i always use; i prefer using; i develop on; i work on; i'm on; i run; i code in; i'm running; i code on; i program in; i type on; i write code in; i do everything in",
);
pub(in crate::rules::english) static PERSONAL_TOOLS: Phrases = Phrases::of(
    "\
    vim; neovim; nvim; emacs; vs code; vscode; intellij; pycharm; webstorm; goland; rider; clion; helix; zed; sublime; \
    xcode; zsh; fish; tmux; windows; linux; mac; macos; a mac; wsl; wsl2; ubuntu; fedora; debian; arch; nixos; \
    macbook; m1; m2; m3; m4; chromebook; dvorak; colemak; iterm; kitty; alacritty; wezterm; ghostty; freebsd; i3; sway; a laptop; \
    raspberry pi; jetbrains; screen reader; trackball; a tablet",
);
pub(in crate::rules::english) static NOT_KNOWN: Phrases = Phrases::of(
    "\
    is new to me; are new to me; is all new to me; is still new to me; is still a mystery to me; is a mystery to me; is foreign to me; \
    is completely new to me; is totally new to me; is pretty new to me; are pretty new to me; is unfamiliar to me; is not my strong suit; is not my strength; \
    isn't my strong suit; isn't my strength; isn't my thing; is not my thing; isn't really my area; is not my area; isn't my area; is my weak spot",
);
pub(in crate::rules::english) static VAGUE_SUBJECTS: Phrases =
    Phrases::of("this; that; it; these; those; the error; the bug");
pub(in crate::rules::english) static FIRST_LANGUAGE: Phrases = Phrases::of(
    "\
    isn't my first language; is not my first language; isn't my native language; is not my native language; \
    isn't my mother tongue; is not my mother tongue; is my first language; is my native language; is my mother tongue; is my second language; is my third language",
);
pub(in crate::rules::english) static KNOWS: Phrases = Phrases::of(
    "\
    i know; i don't know; i can read; i can write; i barely; i'm good at; i'm bad at; i'm terrible at; i'm strong in; \
    i'm weak in",
);
pub(in crate::rules::english) static SUBJECTS: Phrases = Phrases::of(
    "\
    sql; python; java; rust; javascript; typescript; react; c; c++; go; ruby; php; swift; kotlin; math; maths; statistics; frontend; front-end; backend; css; kubernetes; docker; linux; git; haskell; scala; elixir; html; bash; aws; terraform; basic; some basic; a bit of; a little; some python; some javascript",
);
pub(in crate::rules::english) static WORKS: Phrases = Phrases::of(
    "i work part time; i work part-time; i work full time; i work remotely; i work nights; i work night shifts; i work shifts; i work alone; i work from home; i'm self-taught; i'm self-employed; i'm retired; i can't code; i don't code; not a native speaker; not a native english speaker; no native speaker; non-native speaker; non-native english speaker",
);
pub(in crate::rules::english) static NATIONALITIES: Phrases = Phrases::of(
    "\
    brazilian; german; french; spanish; italian; portuguese; dutch; polish; czech; swedish; norwegian; danish; finnish; turkish; greek; indian; chinese; japanese; korean; vietnamese; thai; indonesian; mexican; argentinian; canadian; american; british; irish; scottish; australian; austrian; swiss; belgian; ukrainian; romanian; hungarian; nigerian; kenyan; egyptian; israeli; iranian; pakistani",
);
pub(in crate::rules::english) static ELSEWHERE: Phrases = Phrases::of(
    "on; in; at; as; with; to; the; a; my; logged; about; going; for; from; into; by; like; using; running; testing",
);
pub(in crate::rules::english) static CHOSEN: Phrases = Phrases::of(
    "we chose; we picked; we went with; we opted for; we selected; we switched to; we switched from; we moved to; we moved from; we moved off; we adopted",
);
pub(in crate::rules::english) static WHY: Phrases =
    Phrases::of("because; since; as; so that; due to; after; for compliance; for legal");
pub(in crate::rules::english) static FINDS: Phrases =
    Phrases::of("you'll find; you can find; you will find; you'd find; one can find");
pub(in crate::rules::english) static MASTERY: Phrases = Phrases::of(
    "\
    inside out; very well; really well; pretty well; quite well; by heart; a lot about; only the basics; the basics of; \
    fluently",
);
pub(in crate::rules::english) static I_AM: Phrases = Phrases::of("i'm; i am; im");
pub(in crate::rules::english) static ADVERBS: Phrases = Phrases::of(
    "\
    currently; mostly; primarily; mainly; also; actually; still; basically; by trade; by training; originally; really; \
    just; only; not; no; technically; officially; quite; pretty; very; fairly; relatively; totally; completely; rather; \
    somewhat; a bit; a total; a complete; normally; usually; kind of; sort of; more of; what you'd call; professionally",
);
pub(in crate::rules::english) static BEING: Phrases = Phrases::of(
    "\
    new to; comfortable with; fluent in; experienced in; experienced with; familiar with; unfamiliar with; \
    used to; allergic to; based in; left-handed; self-taught; learning; good at; bad at; responsible for; in charge of; retired; deaf; dyslexic; a native; from; coming from a; vegan; vegetarian; technical; non-technical; in my first; in my second; in my third; in my final; bilingual",
);
pub(in crate::rules::english) static CONDITIONS: Phrases = Phrases::of(
    "\
    colourblind; colorblind; colour-blind; color-blind; colour blind; color blind; dyslexic; hard of hearing; blind; adhd; visually impaired; short-sighted; native speaker",
);
pub(in crate::rules::english) static MINOR: Phrases = Phrases::of(
    "\
    bit; little; fan; a bit; a little; a fan; a big fan; a huge fan; lead to; admin on; an admin on; the admin on; the author of; the owner of; a new contributor; testing; \
    the first; the last; the one; an idiot; a contributor; getting; seeing; trying; stuck; sure; afraid",
);
pub(in crate::rules::english) static ARTICLES: Phrases =
    Phrases::of("a; an; the; one of the; one of; your; no; not a; not an");
pub(in crate::rules::english) static ROLES: Phrases = Phrases::of(
    "\
    engineer; developer; programmer; scientist; designer; manager; lead; student; researcher; analyst; architect; \
    administrator; admin; sysadmin; sre; founder; cofounder; co-founder; teacher; writer; consultant; freelancer; \
    contractor; intern; beginner; novice; cto; ceo; cfo; coo; ciso; vp; director; maintainer; dba; devops; tester; professor; \
    physicist; biologist; chemist; mathematician; statistician; economist; lawyer; doctor; nurse; journalist; hobbyist; expert; \
    veteran; newcomer; specialist; technician; dev; swe; pm; postdoc; phd; head; rustacean; pythonista; coder; newbie; noob; \
    accountant; auditor; librarian; linguist; translator; editor; musician; artist; pharmacist; geologist; astronomer; \
    lecturer; graduate; undergrad; undergraduate; apprentice; trainee; qa; ux; gamedev; pentester; entrepreneur; \
    bioinformatician; psychologist; pilot; operator; dentist; veterinarian; marketer; recruiter; illustrator; photographer; hacker; plumber; electrician; retiree; principal; staff; junior; senior; owner; generalist; person; guy; tutor; instructor; parent; speaker",
);
pub(in crate::rules::english) static HAVE_BEEN: Phrases =
    Phrases::of("i've been; i have been; i've; i have; i've got; i got; i bring; been");
pub(in crate::rules::english) static BEEN: Phrases = Phrases::of("been");
pub(in crate::rules::english) static PRACTISING: Phrases =
    Phrases::of("writing; coding; programming; developing; doing; teaching; using");
pub(in crate::rules::english) static YEARS: Phrases =
    Phrases::of("years; decade; decades; year; years'; years’");
pub(in crate::rules::english) static INEXPERIENCE: Phrases = Phrases::of(
    "\
    never written; never used; never touched; never worked with; never done; never learned; never built; never programmed; no experience with; \
    no experience in; little experience with; zero experience with; hardly ever used; barely used; barely touched; never coded; not used; not touched; no idea about; hardly any experience; hardly touched; no background in",
);
pub(in crate::rules::english) static EXPERIENCE_VERBS: Phrases = Phrases::of(
    "\
    writing; using; working; coding; programming; building; doing; developing; managing; written; used; worked; never; \
    no; little; zero; over; about; almost; more than; around; in; an; a; teaching; leading; running; maintaining; twenty; \
    ten; two; three; four; five; six; seven; eight; nine; fifteen; thirty; done; spent; hardly; barely; not; only; nearly; many; several; built; some; decades; professionally; shipping",
);
pub(in crate::rules::english) static FAILURES: Phrases = Phrases::of(
    "fails; failing; error; errors; broken; crash; crashes; doesn't; can't; cannot; won't; but it; and it; getting; segfault; and the; slow",
);
pub(in crate::rules::english) static TROUBLE: Phrases = Phrases::of(
    "error; bug; issue; problem; idea why; clue why; trying; stuck; debugging; logs; running for; running fine; working for; working fine",
);
pub(in crate::rules::english) static PASSING: Phrases = Phrases::of(
    "today; right now; at the moment; for now; tonight; just now; a minute; again; so far; atm; yesterday; lol",
);

// Where things live.

pub(in crate::rules::english) static NEEDS: Phrases = Phrases::of(
    "\
    if you need; if you want; if you ever need; if you're looking for; if you look for; when you need; when you're looking for; in case you need; whenever you need; should you need; if you have questions about; if you want to know",
);
pub(in crate::rules::english) static THERE: Phrases =
    Phrases::of("they're; it's; they are; it is; look in; look at; see; go to; check");
pub(in crate::rules::english) static ROLES_HERE: Phrases = Phrases::of(
    "dev here; developer here; engineer here; scientist here; student here; designer here; manager here; analyst here; admin here; sysadmin here; researcher here; beginner here; newbie here; noob here; founder here; sre here; pm here; lead here; programmer here; tester here; hobbyist here; architect here; intern here; maintainer here; dba here; guy here; person here; user here",
);
pub(in crate::rules::english) static SOMEONE: Phrases =
    Phrases::of("the; any; some; every; no; is; our; is there; a; an");
pub(in crate::rules::english) static THINGS: Phrases = Phrases::of(
    "\
    bugs; bug reports; issues; tickets; dashboards; dashboard; runbook; runbooks; docs; documentation; designs; design; mockups; mocks; specs; \
    spec; metrics; logs; alerts; secrets; roadmap; board; wiki; schedule; postmortems; incidents; questions; requests; \
    credentials; experiments; datasets; dataset; data; builds; releases; announcements; notes; minutes; tasks; backlog; playbook; \
    playbooks; rota; guide; guidelines; tracker; reports; report; traces; errors; crashes; reviews; assets; contracts; contract; invoices; \
    feature flags; flags; models; translations; changelog; complaints; decisions; decision log; results; benchmarks; \
    recordings; slides; deck; diagrams; prototypes; wireframes; feedback; surveys; analytics; certificates; keys; \
    passwords; artifacts; artefacts; backups; policies; checklist; checklists; template; templates; calendar; \
    handbook; faq; service catalog; adrs; rfcs; proposals; okrs; goals; standup; standups; discussions; outages; budget; api; schema; vendor; style guide; test plan; test plans; test cases; screenshots; brand; onboarding; sheet; spreadsheet; file; folder; channel; page; space; portal; sandbox; console; status page; user stories; stories; epics; work items; logins; licenses; licences; inventory; escalations; support",
);
pub(in crate::rules::english) static SYSTEMS: Phrases = Phrases::of(
    "\
    linear; jira; notion; confluence; slack; grafana; datadog; sentry; pagerduty; figma; google docs; google doc; google drive; \
    google sheets; google sheet; google calendar; gdrive; sharepoint; onedrive; trello; asana; github issues; github projects; github discussions; github wiki; gitlab; \
    bitbucket; airtable; miro; discord; microsoft teams; ms teams; zendesk; kibana; splunk; looker; tableau; metabase; \
    wandb; w&b; weights & biases; tensorboard; mlflow; vault; 1password; bitwarden; keepass; opsgenie; statuspage; launchdarkly; youtrack; clickup; basecamp; \
    dropbox; snowflake; bigquery; prometheus; honeycomb; new relic; rollbar; bugsnag; bugzilla; intercom; hubspot; \
    salesforce; zulip; mattermost; coda; monday.com; phabricator; redash; superset; crowdin; lokalise; weblate; \
    transifex; s3; s3 bucket; gcs; lastpass; servicenow; freshdesk; redmine; azure devops; power bi; amplitude; mixpanel; posthog; \
    segment; loom; zeplin; invision; lucidchart; excalidraw; drawio; postman; swaggerhub; stoplight; readme.io; gitbook; jfrog; \
    artifactory; nexus; jenkins; buildkite; circleci; teamcity; sonarqube; backstage; incident.io; firehydrant; rootly; \
    cloudwatch; stackdriver; elastic; loki; tempo; jaeger; box; quip; evernote; obsidian; roam; telegram; whatsapp; signal; teams channel; \
    the wiki; our wiki; company wiki; team wiki; the intranet; shared drive; network drive; the portal; mailing list; nextcloud; plane; aha; productboard; canny; testrail; zephyr; rally; pivotal tracker; stripe dashboard; the handbook; google group; smb share; ftp server; trac; mantis",
);
pub(in crate::rules::english) static AUXILIARIES: Phrases =
    Phrases::of("is; are; get; gets; be; they're; all; usually; also; being; always; now");
pub(in crate::rules::english) static PARTICIPLES: Phrases = Phrases::of(
    "kept; written; found; sent; held; put; set; built; shown; done; run; drawn; made; dealt; written down; taken",
);
pub(in crate::rules::english) static PREPOSITIONS: Phrases =
    Phrases::of("in; on; at; to; under; into; inside; through; via; with; from");
pub(in crate::rules::english) static ASKING_PLACES: Phrases = Phrases::of(
    "ask in; ask on; ask at; post in; post to; reach out in; reach out on; go to; contact; write to; ping; use; see; look in; look at; check; report in; report to; file in; file a ticket in; raise in; belongs in; belong in",
);
pub(in crate::rules::english) static WHAT_FOR: Phrases = Phrases::of(
    "for anything; for everything; for questions; for all questions; for any question; for any questions; for access; for help; for support; for bugs; for bug reports; for incidents; for outages; for feature requests; for requests; for urgent; for design questions; for infra questions; for on-call; for security; questions about; questions on; anything about; for problems with; for issues with; for feedback",
);
pub(in crate::rules::english) static ASK_IN: Phrases =
    Phrases::of("ask in; ask on; post in; ping; report in; report to; file in; reach out in");
pub(in crate::rules::english) static OCCASIONS: Phrases =
    Phrases::of("if; for; when; whenever; about; with problems; in case");
pub(in crate::rules::english) static FIRM_LOCATIONS: Phrases = Phrases::of(
    "\
    live in; lives in; live on; lives on; live at; lives at; live under; are tracked in; is tracked in; are tracked on; is tracked on; \
    are documented in; is documented in; are documented on; are kept in; is kept in; are kept on; is kept on; are stored in; is stored in; are filed in; \
    get filed in; are managed in; is managed in; are maintained in; is maintained in; are posted in; are posted to; are listed in; \
    can be found in; can be found at; can be found on; are reported in; get posted to; get posted in; are published on; is published on; land in; lands in; \
    end up in; ends up in; get uploaded to; gets uploaded to; are uploaded to; is uploaded to; are written down in; is written down in; written down in; \
    all written down in; are collected in; are archived in; is archived in; are discussed in; get discussed in; are announced in; is announced in; \
    are handled in; are recorded in; is recorded in; are logged in; are saved in; are shared in; get sent to; are sent to; are planned in; are coordinated in; happen in; happens in; get reported in; are triaged in; is hosted on; are hosted on; are pinned in; sits in; sit in; is linked in; is linked from; are published to; get published to; are synced to; get tracked in; gets tracked in; is found in; are found in; are found on; is found on; are raised in; come in through; comes in through; come in via; comes in via; come through; arrive in; go through; get reported through",
);
pub(in crate::rules::english) static LOCATIONS: Phrases = Phrases::of(
    "\
    are in; is in; are on; is on; are at; is at; go in; go to; goes to; goes in; go into; are all in; is all in; are all on; track; belong in; belongs in; they're in; it's in; \
    they're all in; they're on; is under; are under; comes from; come from; is over at; are over at; is over on; are over on; is here; is available at; are available at; is available on; can be reached at; is called; is the one at; is still in; is still on",
);
pub(in crate::rules::english) static NOT_ABOUT_A_PLACE: Phrases = Phrases::of(
    "\
    this; that; it; there; i; i'm; if; when; look; check; open; go; fetch; read; add; put; move; create; fix; post; update; \
    write; send; make; copy; delete; let's; see; find; get; take; use; your; they; he; she; what; file; upload; pull; push; download; import; export; sync; connect; deploy; run; set; implement; build; grab; search; paste; migrate; give; show; list; change; i've; you; maybe; can; parse; store; save; we're; click",
);
pub(in crate::rules::english) static TRACKERS: Phrases = Phrases::of(
    "\
    we track; we keep; i track; i keep; we file; we store; we document; our team tracks; the team tracks; we manage; \
    we plan; we log; we write; we publish; we post; we discuss; we use; i use; our team uses; the team uses; our team keeps; the team keeps; we collect; we record; we organise; we organize; we announce; we coordinate; we host; we put; we save; i store; i put; we archive",
);
pub(in crate::rules::english) static TRACKED: Phrases = Phrases::of(
    "to track; for tracking; for planning; for project management; for issue tracking; for bug tracking; for on-call; for incident; for documentation; for monitoring; for sprint planning; for everything; for all; all our; all of our; everything",
);
pub(in crate::rules::english) static BROKEN: Phrases = Phrases::of(
    "\
    is down; are down; down again; broken; failing; fails; wrong; missing; empty; slow; isn't; aren't; not in; not on; not working; unreachable; deleted; doesn't; don't; didn't; already; now",
);

// What is going on.

pub(in crate::rules::english) static PLANS: Phrases = Phrases::of(
    "\
    deadline; deadlines; release; releasing; released; releases; launch; launching; launches; freeze; freezing; frozen; freezes; ship; ships; \
    shipping; demo; migration; migrate; migrates; migrating; cutover; due; go live; going live; goes live; go-live; rollout; rolling out; \
    sunset; sunsetting; deprecate; deprecated; deprecating; end of life; eol; on call; on-call; on vacation; on leave; out of office; \
    code freeze; offsite; audit; beta; ga; cut; cuts; cutting; switching; switch over; switch to; moving to; moving from; move to; moves to; move off; moving off; retire; \
    retires; retiring; retired; shutting down; shut down; shuts down; starts; starting; begins; ends; expires; joins; leaves; leaving; takes over; \
    taking over; kickoff; kick off; kicks off; conference; presentation; merge freeze; switched off; turned off; turn off; switches off; drop support; drops support; \
    dropping support; requires; require; must be; have to be; has to be; needs to be; need to be; is set for; is scheduled for; are scheduled for; is planned for; \
    planned; scheduled; signed off; goes out; hand over; handover; hands over; handing over; deliver; delivered; delivery; submission; renewal; takes effect; \
    goes away; go away; going away; covers for; discontinued; discontinues; discontinue; stops; stop supporting; moves; moved; kicks in; goes into effect; effective; on holiday; on parental leave; away; milestone; go-no-go; the review; pilot; board meeting; replaced; replace; replaces; replacing; phased out; phase out; phasing out; removed; decommissioned; decommission; upgrade; upgrading; upgrades; reorg; merging with; last day; moratorium; review is; workshop; hackathon; pen test; pentest; sprint ends; certification; acquisition; trial; pilot starts; closes; opens; window; blackout; no deploys; go public; webinar; training; announcement; onboarding; rename; renaming; nobody may; no one may; nobody can; no one can; nobody is allowed; no one is allowed; nothing may; renegotiated; contract ends; contract runs out; is off limits; are off limits; only synthetic; moved to",
);
pub(in crate::rules::english) static FIRM_PLANS: Phrases = Phrases::of(
    "deadline; launch; release; demo; freeze; freezing; audit; cutover; migration; rollout; go live; ships; due",
);
pub(in crate::rules::english) static PLANNERS: Phrases = Phrases::of(
    "\
    we; we're; we'll; our; the; my team; marketing; legal; sales; product; management; code; merge; version; v1; v2; v3; v4; \
    beta; support; a; an; all; everyone; deadline; release; launch; feature freeze",
);
pub(in crate::rules::english) static OURS: Phrases = Phrases::of(
    "we; we're; we'll; our; my team; marketing; legal; sales; management; code freeze; feature freeze",
);
pub(in crate::rules::english) static NOT_PLANNERS: Phrases = Phrases::of(
    "\
    i; i'll; i'm; i've; i'd; it; it's; this; that; let's; there; there's; they; he; she; you; your; my test; my build; these; those; fix; change; \
    implement; rename; refactor; remove; delete; move; convert; parse; generate; schedule; set; filter; print; find; \
    look; see; compare; investigate; debug; replace; merge; revert; draft; prepare; plan; help; calculate; compute; \
    extract; insert; select; migrate; upgrade; install; download; fetch; need; needs; want; go; get; have; having; if; when; switch; drop; cut; ship; release; launch; deprecate; retire; turn; clean; finish; continue; mark; render; display; hide; adjust; modify; extend; increase; decrease; for each; for the; for my; for our; for today; for tomorrow; given; assign; post; book; remind; in; on; at; yesterday; last; since; after; because i; because it; because we; because the test; because the build; because this; because that; please; maybe; sort; group; highlight; export; import; save; store; here's; here; some; one; every; each; only",
);
pub(in crate::rules::english) static PAST_EVENTS: Phrases = Phrases::of(
    "\
    yesterday; last week; last month; last friday; last night; ago; was; were; ran; shipped; broke; failed; fails; failing; error; log; logs; flaky; say; says; said; according to; \
    function; field; column; variable; test; tests; struct; class; method; button; component; bug; crash; crashes; timeout; query; endpoint; parameter; argument; string; parser; didn't; doesn't; stack; warning",
);
pub(in crate::rules::english) static I_AM_AWAY: Phrases = Phrases::of(
    "\
    i'm on; i'm out; i am on; i am out; i'll be on; i'll be out; i'm away; i am away; i'll be away; i'm leaving; i'm off; i'll be off; i take over; i'm taking over; i'm presenting",
);
pub(in crate::rules::english) static AWAY: Phrases = Phrases::of(
    "\
    is on parental leave; is on maternity leave; is on paternity leave; is on leave; is on vacation; is on holiday; is on sabbatical; is out until; is away until; \
    is the point of contact; is our point of contact; is the contact for; is our contact; is taking over; takes over; took over; has taken over; is leaving the; is our new; left the company; left the team; \
    is leading the; is the product owner; is our product owner; is the decision maker; signs off on; is the stakeholder; has the final say; approves all; has to approve; is the one who approves; is the one to ask",
);
pub(in crate::rules::english) static DECISIONS: Phrases = Phrases::of(
    "\
    we decided to; we decided that; we decided not to; we decided against; we decided on; we've decided to; we've decided that; we've decided not to; we've decided against; we have decided to; we have decided that; we have decided not to; \
    we decided yesterday; we decided last week; we decided today; we decided; we agreed to; we agreed that; we agreed not to; we agreed on; we agreed with; we've agreed to; we've agreed that; \
    the team decided; the team agreed; the team has decided; the team chose; our team decided; our team agreed; management decided; management has decided; leadership decided; the board decided; the board approved; \
    we're not allowed to; we are not allowed to; we aren't allowed to; we may not use; it was decided; it's been decided; it has been decided; decision; decision made; the decision is; the decision was; the decision is to; the decision was to; we chose to; we voted to; we settled on; \
    we're not going to support; we won't support; we will not support; we are dropping; we're dropping; we're sunsetting; we gave up on; we're moving away from; the cto decided; my manager decided; our cto decided; product decided; the committee decided; the architects decided; we committed to; we promised; we ruled out; we've ruled out; we're deliberately; we deliberately; we intentionally; the reason we; the reason we're; the reason why we; the reason for the; the whole point of the; the goal of the; the point of the",
);
pub(in crate::rules::english) static AFTERWARDS: Phrases = Phrases::of("since; after; ever since");
pub(in crate::rules::english) static SMALL_DECISIONS: Phrases = Phrases::of(
    "this function; this file; this approach; this bug; here; it; this one; that one; this test; this variable; option; option a; option b; the first one; the second one; the first option; the second option; in this migration; in this pr; in this branch",
);
pub(in crate::rules::english) static NEAR_A_MONTH: Phrases =
    Phrases::of("in; by; until; till; since; before; mid; of; from; late; early; next");
pub(in crate::rules::english) static NEAR_A_DAY: Phrases =
    Phrases::of("on; by; until; till; after; before; from; next; this; coming; starting");
pub(in crate::rules::english) static WEEKDAYS: Phrases =
    Phrases::of("monday; tuesday; wednesday; thursday; friday; saturday; sunday");
pub(in crate::rules::english) static STAKEHOLDERS: Phrases = Phrases::of(
    "\
    legal; compliance; marketing; management; leadership; the security team; security; finance; sales; our auditors; the auditors; the auditor; the board; the customer; our customer; our biggest customer; our main customer; our largest customer; \
    the customers; our customers; the regulator; the regulators; product; the product team; the data team; the platform team; the infra team; the design team; our investors; procurement; hr; the works council; the partner; our partner; our partners; the vendor; the sponsor; the ceo; the cto; our ceo; our cto; the mobile team; the legal team; the law firm",
);
pub(in crate::rules::english) static DEMANDS: Phrases = Phrases::of(
    "\
    wants; want; requires; require; insists; insist; asked us; asked for; needs us; need us; demands; demand; decided; won't; forbids; forbid; forbade; approved; signed off; wanted; expects; expect; refuses; refused; must sign; has to sign; vetoed; rejected; blocked; agreed; promised; is pushing; are pushing; prohibits; has asked; have asked; mandated; mandates; has decided; objected",
);
pub(in crate::rules::english) static NEEDING: Phrases = Phrases::of("needs; need; is waiting for");
pub(in crate::rules::english) static INCIDENTS: Phrases = Phrases::of(
    "\
    had to roll back; had to revert; rolled back; got burned; had an outage; had an incident; had a data loss; had a breach; had a security incident; had a production incident; since the outage; since the incident; after the outage; after the incident; after the breach; since the breach; \
    since last month's outage; after last month's outage; after last week's outage; after last week's incident; since last week's outage; since last week's incident; lost data; lost customer data; went down; were down; was down; took down; took production down; brought down; got hacked; got breached; since the migration incident; after the data loss; outage in; outage on; incident in; incident on; leaked; data leak; data breach; security breach; since the leak; after the leak; since the hack; after the hack; since the crash in; after the crash in; since the disaster; post-mortem; postmortem",
);
pub(in crate::rules::english) static CONSEQUENCES: Phrases = Phrases::of(
    "since then; ever since; that's why; which is why; so now; every; needs; requires; from then on; so we; we now; nobody; no one; has to; must; no longer; only; always; never",
);
pub(in crate::rules::english) static QUARTERS: Phrases = Phrases::of("q1; q2; q3; q4; h1; h2");
pub(in crate::rules::english) static MONTHS: Phrases = Phrases::of(
    "\
    january; february; march; april; may; june; july; august; september; october; november; december; jan; feb; mar; apr; \
    jun; jul; aug; sep; sept; oct; nov; dec",
);

pub(in crate::rules::english) static ADDRESSES: Phrases = Phrases::of("http://; https://; #");
