//! Chinese sentences.

use jiff::civil::Date;
use memdir_memory::MemoryType::{self, Feedback, Project, Reference, User};
use memdir_memory::dates;

use super::speech::Sentence;
use super::{Act, Wish, wish};

/// What a sentence asks for.
pub(super) fn find(sentence: &Sentence<'_>, today: Date) -> Option<Wish> {
    let plain = sentence.plain.as_str();
    let clause = without_lead_in(plain);
    let from = |rest: &str| plain.len() - rest.len();
    if sentence.question || is_question(clause) || clause.chars().count() < 4 {
        return None;
    }
    if let Some(rest) = forget(clause) {
        return wish(sentence, from(rest), Act::Forget, "forget");
    }
    if let Some(rest) = remember(clause) {
        return wish(
            sentence,
            from(rest),
            Act::Keep(kind_of(rest, today)),
            "remember",
        );
    }
    if has(plain, FOR_NOW) {
        return None;
    }
    let kind = kind_outright(clause, today)?;
    let rule = match kind {
        Feedback => "standing wish",
        User => "who they are",
        Reference => "where things live",
        Project => "dated plan",
    };
    wish(sentence, from(clause), Act::Keep(kind), rule)
}

fn after<'a>(text: &'a str, openings: &[&str]) -> Option<&'a str> {
    openings
        .iter()
        .find_map(|opening| text.strip_prefix(opening))
        .map(|rest| rest.trim_start_matches([' ', '，', ',', '：', ':', '、']))
}

fn has(text: &str, signs: &[&str]) -> bool {
    signs.iter().any(|sign| text.contains(sign))
}

fn without_lead_in(text: &str) -> &str {
    const LEAD_INS: &[&str] = &[
        "请",
        "麻烦",
        "另外",
        "还有",
        "对了",
        "好的",
        "好",
        "嗯",
        "谢谢",
        "多谢",
        "不对",
        "不是",
        "顺便说一下",
        "顺便",
        "ok",
        "okay",
        "总之",
        "注意",
        "提醒一下",
        "很好",
        "没错",
        "可以",
        "你好",
        "哦",
        "那",
        "请你",
        "拜托",
    ];
    let mut rest = text.trim_start_matches([' ', '-', '，', '、', '！']);
    while let Some(shorter) = after(rest, LEAD_INS) {
        let shorter = shorter.trim_start_matches(['！', '。', ' ', '，']);
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest
}

fn is_question(clause: &str) -> bool {
    let bare = clause.trim_end_matches(['。', '！', '.', ' ']);
    ["吗", "呢", "么", "没有", "吧"]
        .iter()
        .any(|end| bare.ends_with(end) && (*end != "没有" || bare.contains("有没有")))
        || has(
            clause,
            &[
                "是不是",
                "有没有",
                "能不能",
                "可不可以",
                "要不要",
                "为什么",
                "怎么",
                "什么时候",
                "哪里",
                "哪个",
                "还记得",
                "记不记得",
                "是否",
                "如何",
            ],
        )
}

const FOR_NOW: &[&str] = &[
    "这次",
    "暂时",
    "先不",
    "目前",
    "现在先",
    "这个文件",
    "这个函数",
    "这个测试",
    "这一行",
    "这里",
    "今天先",
    "待会",
    "等一下",
    "刚才",
    "刚刚",
    "这个分支",
    "这一步",
    "本次",
];

fn forget(clause: &str) -> Option<&str> {
    let rest = after(clause, &["你可以", "帮我", "把"]).unwrap_or(clause);
    let rest = match after(
        rest,
        &["忘掉", "忘记", "删掉关于", "不用再记得", "不用记得"],
    ) {
        Some(rest) => rest,
        // "Take … out of memory".
        None if clause.starts_with('把')
            && has(rest, &["忘掉", "从记忆里删", "从记忆中删", "从记忆里去掉"]) =>
        {
            rest
        }
        None => return None,
    };
    let rest = after(
        rest,
        &["我之前说的", "我说过的", "我说的", "之前说的", "关于"],
    )
    .unwrap_or(rest);
    let vague = has(rest, &["它吧"])
        || rest.chars().count() < 3
        || rest.starts_with("了")
        || rest.starts_with("这件事");
    (!vague).then_some(rest)
}

fn remember(clause: &str) -> Option<&str> {
    let rest = after(
        clause,
        &[
            "你要",
            "你需要",
            "你得",
            "帮我",
            "我希望你",
            "以后要",
            "一定要",
            "务必",
        ],
    )
    .unwrap_or(clause);
    let rest = after(
        rest,
        &[
            "记住",
            "记一下",
            "记下来",
            "记得",
            "牢记",
            "别忘了",
            "不要忘了",
            "不要忘记",
            "别忘记",
            "记到记忆里",
            "保存到记忆",
            "存到记忆里",
            "加到记忆里",
            "写进记忆",
        ],
    )?;
    let rest = after(rest, &["了", "啊", "哦"]).unwrap_or(rest);
    let recalls = has(rest, &["上次", "那次", "那天", "以前我们"])
        && !has(rest, &["以后", "都要", "不要", "总是"]);
    let task = ["别忘了", "不要忘了", "记得", "不要忘记", "别忘记"]
        .iter()
        .any(|opening| clause.starts_with(opening))
        && [
            "加", "跑", "提交", "更新", "检查", "改", "写", "删", "测试", "把", "推", "运行", "补",
        ]
        .iter()
        .any(|verb| rest.starts_with(verb))
        && !has(rest, &["每次", "以后", "总是", "都要", "永远"]);
    (!recalls && !task && rest.chars().count() >= 4).then_some(rest)
}

/// The kind of a sentence that says it outright.
fn kind_outright(clause: &str, today: Date) -> Option<MemoryType> {
    if is_standing(clause) {
        Some(Feedback)
    } else if is_person(clause) {
        Some(User)
    } else if lives_somewhere(clause) {
        Some(Reference)
    } else if is_dated_plan(clause, today) {
        Some(Project)
    } else {
        None
    }
}

fn kind_of(rest: &str, today: Date) -> MemoryType {
    kind_outright(rest, today).unwrap_or_else(|| {
        if rest.starts_with('我') && !rest.starts_with("我们") {
            User
        } else {
            memdir_memory::naming::guess(rest).memory_type
        }
    })
}

fn is_standing(clause: &str) -> bool {
    let told = has(
        clause,
        &[
            "报错",
            "失败",
            "崩溃",
            "出错",
            "卡住",
            "超时",
            "以后再说",
            "以后再看",
        ],
    );
    let from_now_on = after(
        clause,
        &[
            "从现在起",
            "从现在开始",
            "从今以后",
            "以后",
            "今后",
            "往后",
            "之后都",
            "默认",
        ],
    )
    .is_some_and(|rest| {
        rest.chars().count() >= 3
            && (has(
                rest,
                &[
                    "都", "请", "不要", "别", "用", "要", "先", "只", "必须", "写", "再",
                ],
            ))
            && !rest.starts_with("会")
            && !rest.starts_with("可能")
            && !rest.starts_with("再")
    });
    let always = after(
        clause,
        &[
            "总是",
            "永远",
            "始终",
            "一律",
            "必须",
            "务必",
            "一定要",
            "每次都",
            "绝对不要",
            "绝不",
            "千万不要",
            "千万别",
            "永远不要",
        ],
    )
    .is_some_and(|rest| rest.chars().count() >= 3);
    let every = after(
        clause,
        &[
            "每次",
            "每当",
            "凡是",
            "只要",
            "提交前",
            "提交之前",
            "推送前",
            "写代码时",
            "写测试时",
            "回答时",
            "回复时",
            "代码里",
            "代码中",
            "注释里",
            "注释",
            "提交信息",
            "在这个项目里",
            "在这个仓库里",
            "这个项目",
            "本项目",
        ],
    )
    .is_some_and(|rest| {
        has(
            rest,
            &[
                "都要",
                "都用",
                "必须",
                "不要",
                "别",
                "先",
                "请",
                "总是",
                "一律",
                "用中文",
                "用英文",
                "要用",
                "禁止",
            ],
        )
    });
    let ban = after(
        clause,
        &[
            "不要再",
            "别再",
            "不许",
            "禁止",
            "不要用",
            "别用",
            "不要使用",
            "不要在",
            "别在",
            "不要写",
            "别写",
            "不要加",
            "别加",
            "不要添加",
            "避免",
        ],
    )
    .is_some_and(|rest| {
        rest.chars().count() >= 2 && !has(rest, &["这个", "那个", "它", "这样", "这么"])
    });
    let preference = after(
        clause,
        &[
            "我更喜欢",
            "我喜欢用",
            "我喜欢你",
            "我习惯用",
            "我习惯",
            "我偏好",
            "我比较喜欢",
            "我不喜欢",
            "我讨厌",
            "我倾向于",
            "我一般用",
            "我一直用",
            "我只用",
            "我从不用",
            "我从来不用",
            "我们用",
            "我们统一用",
            "我们只用",
            "我们不用",
            "我希望你以后",
            "我希望你总是",
            "我希望你不要",
            "继续保持",
        ],
    )
    .is_some_and(|rest| {
        rest.chars().count() >= 2 && !has(rest, &["第一个", "第二个", "这个", "那个", "方案", "它"])
    });
    let ours = clause.starts_with("我们用") && !has(clause, &["不用", "而不是", "不是"]);
    let instead = after(
        clause,
        &["用", "请用", "使用", "统一用", "优先用", "优先使用"],
    )
    .is_some_and(|rest| {
        has(rest, &["回答", "回复", "写注释", "写提交信息"])
            && has(rest, &["中文", "英文", "简体", "繁体"])
            && !has(rest, &["这个问题", "这段", "一下", "这封"])
    });
    !told && !ours && (from_now_on || always || every || ban || preference || instead)
}

fn is_person(clause: &str) -> bool {
    const ROLES: &[&str] = &[
        "工程师",
        "开发",
        "程序员",
        "架构师",
        "设计师",
        "经理",
        "学生",
        "研究员",
        "研究生",
        "博士",
        "分析师",
        "科学家",
        "运维",
        "负责人",
        "测试",
        "老师",
        "教师",
        "顾问",
        "实习生",
        "新手",
        "创始人",
        "总监",
        "产品",
        "医生",
        "律师",
        "维护者",
        "站长",
        "组长",
        "主管",
        "专家",
    ];
    let role = after(
        clause,
        &[
            "我是一名",
            "我是一个",
            "我是个",
            "我是",
            "我在做",
            "我目前是",
        ],
    )
    .is_some_and(|rest| {
        let head = rest.split(['，', ',', '。']).next().unwrap_or(rest);
        has(head, ROLES) && !has(head, &["想", "说", "觉得", "怕", "不是"])
    });
    let named = after(
        clause,
        &[
            "我叫",
            "我的名字是",
            "叫我",
            "你可以叫我",
            "我的时区是",
            "我的母语是",
            "我的职位是",
            "我的工作是",
            "我主要负责",
            "我负责",
            "我住在",
            "我刚开始学",
            "我刚接触",
            "我没用过",
            "我没学过",
            "我不会",
            "我色盲",
            "我是色盲",
        ],
    )
    .is_some_and(|rest| {
        rest.chars().count() >= 2 && !has(rest, &["这个", "那个", "它", "你", "什么"])
    });
    let works = clause.starts_with("我在")
        && has(clause, &["工作", "上班", "读书", "任职"])
        && !has(clause, &["工作目录", "工作区", "工作流"]);
    let years = clause.starts_with('我')
        && has(clause, &["写了", "用了", "做了", "干了"])
        && has(clause, &["年"])
        && !has(clause, &["去年", "今年", "明年"]);
    role || named || works || years
}

fn lives_somewhere(clause: &str) -> bool {
    const SYSTEMS: &[&str] = &[
        "linear",
        "jira",
        "notion",
        "confluence",
        "slack",
        "grafana",
        "datadog",
        "sentry",
        "figma",
        "飞书",
        "钉钉",
        "语雀",
        "企业微信",
        "腾讯文档",
        "石墨",
        "禅道",
        "gitlab",
        "github",
        "看板",
        "wiki",
        "http://",
        "https://",
        "teambition",
        "coding",
        "tapd",
        "kibana",
        "普罗米修斯",
        "prometheus",
        "云效",
    ];
    const THINGS: &[&str] = &[
        "bug",
        "缺陷",
        "任务",
        "工单",
        "文档",
        "设计稿",
        "监控",
        "日志",
        "告警",
        "需求",
        "看板",
        "排班",
        "值班表",
        "复盘",
        "路线图",
        "接口文档",
        "密钥",
        "会议纪要",
        "报表",
        "数据",
        "手册",
        "面板",
        "问题",
    ];
    has(clause, SYSTEMS)
        && has(clause, THINGS)
        && has(
            clause,
            &[
                "都在",
                "放在",
                "记录在",
                "在",
                "写在",
                "存在",
                "跟踪",
                "管理",
                "地址是",
                "位于",
            ],
        )
        && !has(
            clause,
            &[
                "帮我",
                "去",
                "打开",
                "查一下",
                "看一下",
                "挂了",
                "坏了",
                "报错",
                "不在",
                "正在",
                "我在",
            ],
        )
}

fn is_dated_plan(clause: &str, today: Date) -> bool {
    const PLANS: &[&str] = &[
        "截止", "上线", "发布", "冻结", "封版", "交付", "演示", "迁移", "切换", "下线", "停服",
        "割接", "评审", "验收", "休假", "值班", "放假", "到期", "入职", "离职", "接手", "开始",
        "结束", "启动", "提测",
    ];
    let dated = !dates::replacements(clause, today).is_empty()
        || clause.contains('月')
            && (clause.contains('日')
                || clause.contains('号')
                || clause.contains('底')
                || clause.contains('初'));
    let past = has(
        clause,
        &[
            "昨天",
            "上周",
            "上个月",
            "了一个",
            "已经",
            "失败",
            "报错",
            "刚",
            "日志",
        ],
    );
    let order = ["帮", "写", "把", "给", "看", "查", "改", "加", "跑", "在"]
        .iter()
        .any(|verb| clause.starts_with(verb));
    dated && has(clause, PLANS) && !past && !order
}
