//! The words by which something is known that is never kept; `;` stands between two.

use crate::rules::phrases::Phrases;

pub(super) static EXTENSIONS: Phrases = Phrases::of(
    "rs; py; ts; tsx; js; jsx; go; java; c; h; cpp; hpp; rb; kt; swift; cs; php; vue; sql; toml; yaml; yml; css; scss; html; sh; mjs; scala; ex; exs; clj; lua; zig; dart",
);
pub(super) static FOLDERS: Phrases = Phrases::of(
    "src; crates; lib; app; apps; packages; pkg; internal; cmd; tests; test; docs; scripts; server; client; backend; frontend; components; modules; services; web; api; config; migrations; tools",
);
pub(super) static LOCATED: Phrases = Phrases::of(
    "\
    is in; are in; lives in; live in; is defined in; are defined in; is implemented in; is at; is under; are under; on line; sits in; \
    is located in; is declared in; can be found in; goes in; comes from; handles; is the entry point; contains; is called from; 在; 位于; 定义; 里; 目录下",
);
pub(super) static TASK_STATE: Phrases = Phrases::of(
    "\
    we are on step; we're on step; we stopped at; we were at; i'm on step; at step; on step; step 1 of; step 2 of; step 3 of; step 4 of; step 5 of; \
    the next step is; next step is; the next one is; next up is; we are currently; we're currently; current task; the current task; where we left off; \
    this conversation; this session; we still have to; we still need to; still have to; left to do; remaining steps; remaining tasks; so far we; \
    we've already done; already done; halfway through; you were about to; we just finished; i just finished; we've finished; is done now; todo list; the todo; \
    we're in the middle; i'm in the middle; we are in the middle; open tasks; we are at; we're at; pick up where; tests are still; is still red; are still red; is still failing; still failing; tests are passing; tests pass now; tests still fail; \
    当前任务; 下一步是; 下一步; 我们做到; 做到第; 第一步; 第二步; 第三步; 第四步; 第五步; 还剩; 刚做完; 刚改完; 进行到; 做到哪; 还没做完; 进度是; 改到一半; 剩下的",
);
pub(super) static HISTORY: Phrases = Phrases::of(
    "\
    reverted; reverts; this commit; that commit; last commit; the commit that; git blame; git log; git history; cherry-picked; was merged; got merged; has been merged; \
    merged the pr; merged my pr; merged yesterday; who wrote; who changed; introduced in; refactored the; renamed the; rewrote the; changed the; fixed the; added the; removed the; \
    回滚; 这个提交; 那个提交; 提交把; 合并了; 改的; 重构了; 改了; 是谁写的; 修好了; 引入的",
);
pub(super) static RECIPES: Phrases = Phrases::of(
    "\
    the fix for; the fix was; the fix is; fix was; was fixed by; is fixed by; got fixed by; fixed by; fixed it by; to fix; the bug was; the bug is; was a bug; the cause was; was caused by; is caused by; \
    the workaround; workaround for; solved by; solved it by; the solution was; the solution is; the trick is; the trick was; root cause; to reproduce; the error means; \
    the error was; the crash was; the problem was; the issue was; the culprit; killing the; restarting; if it fails; when it fails; when it hangs; clear the cache; rm -rf; \
    解决办法; 解决方法; 解决方案是; 修复方法; 的原因是; 报错是因为; 是因为没; 就好了; 重启; 的 bug 是; 的bug是; 根因; 排查方法; 清缓存; 删掉 node_modules",
);
pub(super) static LINES: Phrases = Phrases::of("line; 行");
pub(super) static CODE_PARTS: Phrases = Phrases::of(
    "\
    function; functions; class; classes; module; modules; method; methods; struct; structs; enum; trait; interface; table; column; columns; endpoint; handler; handlers; component; components; \
    folder; directory; package; crate; controller; controllers; middleware; hook; hooks; reducer; parser; lexer; router; scheduler; cache layer; worker; workers; queue; entry point; \
    config file; repository layout; folder structure; schema; helper; event bus; state machine; 函数; 类; 模块; 方法; 组件; 目录; 中间件; 路由; 解析器; 调度器; 表结构; 入口; 控制器; 队列; 接口层",
);
pub(super) static CODE_VERBS: Phrases = Phrases::of(
    "\
    calls; call; inherits; inherits from; implements; extends; wraps; delegates to; talks to; depends on; is a subclass of; subclasses; imports; imports from; returns; takes; emits; subscribes to; publishes; \
    is called by; is called from; is used by; is defined; is generated; is responsible for; handles; parses; reads from; writes to; goes through; is split into; consists of; is organised; is organized; has a column; has columns; \
    is built on; is structured; uses; stores; is the entry point; lives in; is registered in; is initialised; is initialized; 调用; 继承; 依赖; 实现了; 返回; 负责处理; 封装; 定义在; 分为; 由; 注册; 写入; 读取; 使用了; 采用",
);
/// Who does what from when on.
pub(super) static HANDOVERS: Phrases = Phrases::of(
    "接手; 接管; 交接; 交给; 移交; takes over; taking over; took over; hands over; handing over; handover",
);
/// Names with a hump that are no code.
pub(super) static PRODUCT_NAMES: Phrases = Phrases::of(
    "\
    GitHub; GitLab; GitBook; PostgreSQL; MySQL; JavaScript; TypeScript; LaunchDarkly; PagerDuty; YouTrack; ClickUp; HubSpot; BigQuery; OpsGenie; DevOps; PhD; GraphQL; MongoDB; CircleCI; \
    TeamCity; SonarQube; SharePoint; OneDrive; LinkedIn; YouTube; OpenAI; ChatGPT; WhatsApp; WeChat; macOS; iOS; iPhone; iPad; PyCharm; GoLand; WebStorm; IntelliJ; NixOS; FreeBSD; RabbitMQ; DynamoDB; CockroachDB; \
    ClickHouse; TiDB; OceanBase; YApi; ApiFox; PingCode; PayPal; ServiceNow; TestRail; ProductBoard; WebAssembly; CloudWatch; DataDog; NewRelic; VSCode; LastPass; DropBox; DocuSign; BuildKite; FastAPI; NumPy; PyTorch; TensorFlow; VueJS; NextJS; NodeJS; SaaS; IoT; LaTeX; QuickBooks; PowerPoint; BitBucket; JetBrains; MLflow; OAuth; ArgoCD; McDonald; MasterGo; ShowDoc; TeamBition",
);

/// What people speak of when they speak about code and the task at hand.
pub(super) static CODE_TALK: Phrases = Phrases::of(
    "\
    regex; loop; variable; variables; function; functions; logic; test; tests; fixture; fixtures; flag; flags; build; parser; index; type; types; null; array; arrays; string; strings; cache; class; \
    line; lines; branch; file; files; folder; code; method; argument; arguments; parameter; parameters; struct; enum; field; fields; import; imports; module; callback; promise; async; mutex; \
    thread; threads; pointer; button; modal; component; components; props; state; endpoint; handler; query; join; column; columns; table; migration script; compiler; lint; linter; error; errors; exception; stack trace; bug; retry; retries; timeout; port; \
    repo layout; config; env var; header; payload; json; token; tokens; commit; diff; patch; merge conflict; rebase; iterator; list; map; key; keys; value; values; buffer; socket; row; rows; nullable; undefined; off-by-one; zero-based; one-based; bytes; utf-8; changelog; padding; margin; div; css; html; selector; docker image; container; node_modules; lockfile; \
    变量; 函数; 循环; 测试; 分支; 文件; 代码; 参数; 字段; 类型; 数组; 字符串; 缓存; 接口; 组件; 按钮; 表; 索引; 报错; 异常; 端口; 配置; 正则; 下标; 返回值; 线程; 锁; 样式; 编译; 依赖; 脚本; 目录; 模块; 类; 方法",
);
/// What code cannot tell: why, for whom, by when.
pub(super) static BUSINESS: Phrases = Phrases::of(
    "\
    compliance; legal; customer; customers; client wants; team; stakeholder; stakeholders; contract; deadline; budget; quarter; decided; decision; driven by; owner; release; launch; vendor; license; licence; \
    office; meeting; policy; manager; partner; partners; regulation; gdpr; hipaa; soc; audit; auditors; freeze; on-call; incident; outage; quarterly; marketing; sales; finance; security review; reason; reasons; agreed; promised; sla; roadmap; priority; leave; vacation; holiday; sign off; signs off; approve; approves; \
    合规; 法务; 客户; 团队; 合同; 截止; 预算; 季度; 决定; 因为; 负责人; 上线; 发布; 供应商; 政策; 领导; 老板; 合作方; 监管; 等保; 审计; 封版; 事故; 故障; 原因; 优先级; 重点; 为了; 成本; 甲方; 排期; 下线; 休假; 产假; 陪产假; 年假; 请假; 离职; 入职; 交接; 值班; 出差",
);
