"""English words and turns of phrase behind each cue, as sources of linear patterns."""

from __future__ import annotations

from strata.distillation.cues import Cue

_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WE = "(?:i|we|you|they|he|she|it|this|that|everyone|nobody)"
# Where an order can begin: first in the sentence, after a mark, or after a small word.
_BEGIN = r"\b(?:(?<![\w%)\"'] )|(?:so|and|then|but|please|pls|just|also|either way|otherwise),? )"
_ROLE = (
    "(?:lead|manager|head|boss|chief|director|contact|landlady|landlord|accountant|lawyer|"
    "solicitor|notary|doctor|gp|dentist|vet|nurse|therapist|teacher|tutor|coach|trainer|agent|"
    "editor|publisher|producer|designer|illustrator|translator|interpreter|developer|engineer|"
    "admin|administrator|assistant|secretary|caretaker|janitor|plumber|electrician|builder|"
    "architect|neighbou?r|partner|husband|wife|supervisor|professor|student|intern|colleague|"
    "client|customer|supplier|vendor|sponsor|owner|curator|conductor|maintainer|reviewer|"
    "recruiter|officer|clerk|coordinator|organi[sz]er|treasurer|chair|chairman|chairwoman|"
    "president|secretary|guide|captain|chef|cook|baker|gardener|mechanic|photographer|buyer|"
    "bookkeeper|planner|analyst|specialist|consultant|advis[eo]r|representative|rep|person|guy|"
    "one|expert|point of contact|go-to|successor|deputy|stand-in|replacement)"
)
_VERB = (
    "(?:use|keep|write|put|send|sign|name|call|ask|tell|show|give|make|do|add|set|run|rerun|"
    "start|stop|avoid|leave|let|check|test|book|order|buy|get|find|search|look|draft|print|pay|"
    "reserve|log|note|save|store|file|move|rename|remove|delete|drop|cut|trim|shrink|convert|"
    "export|import|install|update|upgrade|deploy|restart|restore|rotate|swap|switch|turn|change|"
    "fix|correct|replace|merge|split|rebase|commit|push|pull|clone|tag|release|publish|post|"
    "share|forward|reply|answer|explain|invite|decline|cancel|schedule|reschedule|plan|prepare|"
    "pick|choose|take|bring|open|close|lock|build|compile|render|plot|draw|scan|read|review|"
    "translate|summari[sz]e|compare|list|count|measure|report|spell|format|round|quote|charge|"
    "bill|invoice|remind|wake|ping|email|e-mail|mail|text|message|phone|confirm|wait|hold|skip|"
    "ignore|include|exclude|attach|upload|download|sync|back up|backup|archive|clean|wash|pack|"
    "ship|deliver|collect|return|renew|freeze|enter|register|fill|assign|block|mark|label|link|"
    "mention|refer|cite|address|greet|treat|handle|prefer|default|stick|go|come|try|teach|help|"
    "propose|suggest|extend|shorten|pin|bump|double|halve|crop|resize|blur|mute|record|cook|"
    "serve|feed|water|play|copy|paste|type|stay|work)"
)

CUES = {
    Cue.MEMO: (
        r"\b(?<!you )(?<!i )(?<!can't )(?<!to )remember\b(?! (?:when|the (?:time|day|night)|how|that (?:time|day|night)|"
        r"last|to (?!always|never|ask|use|keep)))"
        r"|\bto remember\b:?|\b(?:keep|bear) (?:that|this|it|in|all)\b.{0,20}\bmind\b|\bin mind\b"
        r"|\b(?:note|write|jot|put|take) (?:this|that|it) down\b|\bmake a (?:mental )?note\b|\bmemori[sz]e\b"
        r"|\b(?:long[- ]term|permanent) (?:brain|memory|notes?)\b|\bfor (?:your|the) (?:notes|records?|memory|brain)\b"
        r"|\bdon't (?:you )?(?:ever )?forget\b|\bnever forget\b|\b^note:|\bput (?:that|it|this) down\b|\bplease note\b"
    ),
    Cue.STANDING: (
        rf"\bfrom (?:now|here|today|tonight|tomorrow|this \w+|next \w+|then|{_DAYS}) on(?:wards?)?\b|\bfrom now\b|\bas of (?:now|today)\b"
        r"|\bgoing forward\b|\bhenceforth\b|\bin (?:the )?future\b|\bfor (?:all )?(?:the )?future\b|\bfor all times?\b"
        r"|\b(?:always|never)\b(?! (?:been|had|was|were|dies|breaks|fails|forgets?|asks|complains|knew|knows|happens|ends up|gets|comes|goes wrong|works)\b)|\bwhatever (?:the|a|an|any|his|her|their|happens|it|he|she|they|you)\b|\bno matter\b|\bregardless\b|\bunless\b|\bat no (?:other )?(?:time|point)\b|\bnothing (?:that|with|else|in|on|at|before|after|\w+ing)\b.{0,40}\b(?:goes|gets|leaves|happens|is|comes)\b|\b(?:isn't|aren't|not) (?:to be )?(?:handed|given|allowed|permitted|sent|shared|shown|touched|changed|used|for (?:sale|anyone|others))\b|\bever(?: again)?[,.!]|\b(?:don't|do not|no \w+) (?:\w+ ){0,4}ever\b|\bno exceptions?\b"
        r"|\bwithout exception\b|\bas a rule\b"
        r"|\b(?:general|house|standing|ground|simple|golden|new|hard|firm|strict|iron|the|my|our|one|another|same) rules?\b"
        r"|\brules?:|\bby default\b|\bdefaults? (?:to|is)\b|\bfor good\b|\bfor ever\b|\bforever\b|\bpermanently\b"
        r"|\b(?:keep|leave) (?:it|this|that) (?:that|this) way\b|\bwhenever\b|\bany ?time (?:you|i|we|some|there)"
        r"|\bmake (?:it|that) a habit\b|\bonce and for all\b|\buntil (?:i say otherwise|further notice)\b"
        r"|\b(?:that's|this is|that is) how (?:we|i)\b|\bthe way (?:we|i) (?:do|work|like|want)\b"
        r"|\b(?:you know|same) (?:the )?drill\b|\bas (?:i|we) (?:always|keep) say|\bhow often (?:do i|must i)\b"
        r"|\b(?:don't|do not) \w+ .{0,60}\b(?:again|any ?more|back)\b|\b(?<!can't )(?<!cannot )stop (?:\w+ing)\b|\bquit \w+ing\b"
        r"|\b(?:must|may|should|shall) (?:always|never|only)\b|\bunder no circumstances\b|\bat all times\b"
        r"|\bi (?:only |strictly )?(?:want|need|prefer) (?:\w+ ){0,3}(?:every|each|all)\b|\b(?:my|our|the) (?:standard|standing|policy)\b"
        r"|\bpolicy\b|\bhabit\b|\bstandard (?:is|for)\b|\bonly ever\b|\bno .{1,40}, ever\b"
    ),
    Cue.SCOPE: (
        r"\b(?:every|each|all|everywhere|everything|anything|any|whatever|anyone|everyone|everybody|anybody|exclusively|"
        r"solely|throughout|across|wherever|entire(?:ly)?|whole)\b|\b\w+ only\b"
    ),
    Cue.RECURRING: (
        rf"\b(?:every|each) (?:other |second |single |{_DAYS}|day|week|month|year|quarter|morning|evening|night|time|term|season|"
        rf"sprint|release|weekday|first|last|\d)|\b(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?|biweekly)\b"
        rf"|\bon {_DAYS}s\b|\b{_DAYS}s\b|\bonce a (?:day|week|month|year)\b|\btwice a\b|\b(?:on )?(?:weekdays|weekends|school days)\b"
    ),
    Cue.SELF: (
        r"\bi(?:'m| am) (?:\w+ ){0,2}?(?:vegetarian|vegan|pescatarian|allergic|intolerant|diabetic|left-handed|colou?r-?blind|"
        r"dyslexic|deaf|pregnant|c(?:o)?eliac|teetotal|muslim|jewish|hindu|hard of hearing|short-sighted|in a wheelchair|not a morning)\b"
        r"|\ballerg(?:ic|y|ies)\b|\bintoleran(?:t|ce)\b|\b(?:gluten|lactose|nut|dairy|sugar|caffeine)[- ]?free\b"
        r"|\bi (?:can't|cannot|don't|never|won't|no longer) (?:\w+ )?(?:eat|drink|have|stand|take|fly|drive|wear|do|work|read|like|want|use|answer|open)\b"
        r"|\bi (?:only |always |usually |normally |generally )?(?<!'d )(?:prefer|hate|avoid|need my|like my|want my|take my|drink|eat|wear|work from|sleep)\b"
        r"|\b(?:sign|call|address|introduce|name|label|credit)\b (?:\w+ ){0,3}(?:me|us|it|them|mails?|letters?)\b.{0,20}\bas\b|\b(?:that's|it's|this is) (?:what|how|where) (?:we|i) (?:use|do|work|have|want|keep|like)\b|\bmy (?:pronouns|blood type|shoe size|size|birthday|allerg)"
    ),
    # First person, present tense, a verb of doing: what somebody does as a matter of course.
    Cue.HABIT: (
        r"\b(?:i|we) (?:only |always |usually |never |rarely |generally |mostly |still |just |myself )?(?!am|have|had|was|were|will|would|can|could|should|might|may|must|"
        r"think|know|guess|hope|mean|see|hear|feel|believe|wish|bet|suppose|understand|remember|love|say|do|did|don't|didn't|need|want|like|are|got|get|went|said|saw|found|told|"
        r"made|took|came|gave|bought|thought|knew|sent|left|lost|met|ran|wrote|heard|felt|paid|sold|built|brought|forgot|spoke|all|both|and|or|just|never|always|only|also|"
        r"even|really|haven't|won't|can't|cannot|wouldn't|couldn't|should've|shouldn't|wasn't|aren't|began|broke|chose|fell|held|drew|drove|ate|stood|won|wore|spent|taught|slept|"
        r"couldn|promise|swear|owe|appreciate|agree|forget|doubt|imagine|wonder|\w+ed)\b[a-z]{2,}\b|\bi'm (?:rarely|never|always|usually|seldom|only)\b|\bwith (?:me|us)$"
    ),
    Cue.REQUIRES: (
        r"\b(?!we |i |you |they |it )[\w'-]+ (?:always |only |still |really |also |strictly )?(?:wants?|needs?|requires?|expects?|insists?|demands?|accepts?|"
        r"asks for|reads?|reacts?|replies|answers?|responds?|takes?|likes) (?:\w+ ){0,3}?(?:\w+ing |to |on |for |that )?(?:\w+ ){0,3}?"
        r"(?:every|each|all|any|always|only|never|no |nothing|in writing|by (?:e-?mail|post|phone|noon)|before|after|error|without)\b"
        r"|\bonly (?:ever )?(?:reacts?|answers?|reads?|repl(?:y|ies)|accepts?|takes?|speaks?|responds?|works?|wants?|opens?|checks?|picks? up)\b"
        r"|\bno \w+ without\b|\b(?:has|have|needs?) to (?:be|go|get|have|arrive|reach|land|come)\b|\bmust(?:n't)? (?:be|not|have|go|get|stay|arrive|reach|carry|include)\b"
        r"|\bare (?:not )?(?:allowed|permitted)\b|\bis (?:not )?(?:allowed|permitted|forbidden|mandatory|required|off[- ]limits|taboo|banned)\b"
    ),
    Cue.DECIDED: (
        r"\bdecided\b|\bdecisions?\b|\bsettles (?:it|that)\b|\bsettled\b|\blet's (?:go with|go for|use|stick|settle|keep|end this|make it|call it)\b|\bagreed\b|\bwe agree\b"
        r"|\bverdict\b|\bmade up (?:my|our) mind\b|\bchange of (?:plans?|mind|heart)\b|\bchanged (?:my|our|that|this|it)\b|\b(?:i've|we've) (?:decided|chosen|settled|picked)\b"
        r"|\bfinal(?:ly)?[.!]?$|\b(?:that's|it's|this is) final\b|\bgo(?:ing)? with\b|\bgiv(?:e|ing|en) up on\b|\bgave up on\b|\bdone with\b|\bopt(?:ed|ing)? for\b|\bend of (?:discussion|debate|story)\b|\bthe last i'll say\b"
    ),
    Cue.DECISION: (
        r"\b(?:shift|shifting|shifted)\b|\bdone with\b|\bfrom (?:tonight|today|tomorrow|monday|now) on\b|\btake back\b|\bno (?:cause|reason|need|point) (?:to|in) chang\w+|\b(?:i've|we've) (?:bought|ordered|signed|picked|booked|hired)\b|\bas before the\b|\bdecisions?\b|\b(?:we|i)(?:'ll| will|'re| are|'m| am|'re going to)? (?:go|going|went) (?:with|for|back)\b|\b(?:go|going|went) with\b"
        r"|\blet's (?:go with|go for|use|stick|settle|keep|drop|switch|move|end this|do it|take|make it|call it|stay|not|finally|just)\b"
        r"|\bsettl(?:e|ed|ing) (?:on|for|it|this)\b|\b(?:stick|sticking|stuck|stay|staying|stays) (?:to|with|on|at|in)\b"
        r"|\b(?:switch|switched|switching|change|changed|changing|migrate|migrated|migrating|convert|converted) (?:\w+ ){0,4}?(?:to|back|over|from)\b"
        r"|\bmov(?:e|ed|ing|es) (?:\w+[\w'-]* ){0,4}?(?:to|from|over|back|off|away)\b|\b(?:back|over) to\b|\breturn(?:ing|ed)? to\b"
        r"|\b(?:is|are|'s) (?:final|history|dead|off the table|settled)[.,!;]|\bfinal(?:ly)?[.!]?$|\b(?:that's|it's|this is) final\b|\bthis time it (?:stays|sticks)\b"
        r"|\bchange of (?:plans?|mind|heart)\b|\bchanged (?:my|our|that|this|it)\b|\bgiv(?:e|ing|en) up on\b|\bgave up on\b"
        r"|\b(?:drop|dropp?ed|dropping|ditch\w*|scrap(?:ped|ping)?|abandon\w*|retir(?:e|ed|ing)|phas\w+ out|discontinu\w+|axed?|kill(?:ed|ing)?)\b"
        r"|\binstead of\b|\binstead\b|\brather than\b|\breplac(?:e|es|ed|ing|ement for)\b|\bagreed\b|\bwe agree\b|\b(?:chose|chosen|choose|choosing)\b"
        r"|\bpick(?:ed|ing)?\b.{0,40}\bover\b|\bopt(?:ed|ing)? for\b|\bsigned off on\b|\bverdict\b|\bno longer\b|\b(?:leaving|quitting|cancelling|canceling|ending|closing|outsourcing) (?!for|the house|now|early|at|it|home|work)\w+|\bas of (?:next|this|the|january|february|march|april|may|june|july|august|september|october|november|december|monday)\b|\bit is,? then\b|\bit'?s .{1,40}\bthen\b"
        r"|\bnew (?:\w+ ){0,2}(?:go|goes|are|is|get|gets|will be|run|runs) (?:to|in|into|on|with|through)\b|\bwe(?:'ll| will) (?:use|keep|take|have|buy|write|host|store|sell|charge|publish|build|run|do)\b"
        r"|\bkeep (?:building|using|writing|doing|running|working|it|them|to)\b|\bsee it through\b|\bsigned (?:the|a|with)\b|\bi(?:'ve| have) (?:decided|chosen|settled|picked|made up)\b"
        r"|\bmade up (?:my|our) mind\b|\bthreshold\b|\b(?:will|'ll) stay\b|\bfrom (?:next|this) (?:week|month|term|season|sprint|year)\b|\bfrom (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:all|every|we|i|the|no)\b|\bfor \w+ing .{1,40}\b(?:we|use)\b"
    ),
    Cue.PROPERTY: (
        r"\b(?!it |that |this |she |he |they |we |i )[\w'-]+ (?:always |now |simply |will |must |should )?(?:stays?|remains?|keeps? (?:its|to)|won't|will never|will not|"
        r"never gets?|never has|is never|are never|has no|have no|doesn't (?:have|get|support|do)|does not|gets no)\b"
        r"|\bis (?:closed|frozen|read[- ]only|off[- ]limits|pinned|locked|fixed at)\b"
    ),
    Cue.CORRECTION: (
        r"\b, (?:and )?not (?!with|before|after|only|just|this|now|yet|even|here|for|until|because|to\b|sure|that|so|very|too|really|a (?:big|huge)|in\b|under\b)(?:the |a |an |at |on )?[\w.:/-]+|\bnot (?:the |a |an |on |at |in )?[\w.:/-]+(?: [\w.:/-]+)?[,;]? (?:but|it's|it is|that's)\b"
        r"|\b(?:isn't|aren't|wasn't|weren't) [^.;]{1,40}[,;] (?:it's|it is|they're|but|that's)\b|\bwrong\b|\bmistaken?\b|\bincorrect(?:ly)?\b|\bmis(?:spel\w+|read|heard|took|typed|labelled|remember\w*)\b"
        r"|\btypo\b|\bmix(?:ed|ing)? (?:it|them|those|that|the two) up\b|\byou keep (?:say|writ|call|confus|mix|mak|gett)ing\b|\byou (?:said|wrote|put|have|had|noted|got)\b.{1,60}\b(?:it's|it is|but|should|is really|actually)\b"
        r"|\bactually\b|\bcorrect(?:ion|ed)?\b|\b(?:should|ought to) (?:be|read|say|have been)\b|\bhas (?:always|never) been\b|\bwas never\b|\bis spel(?:led|t)\b"
        r"|\bspel(?:led|t|ling)\b.{0,20}\b(?:with|one|two|double|no)\b|\bwith (?:a|an|one|two|double) [\"'“]?[a-z][\"'”]?(?:[.,!]|$)|\bsays? [^,.]{1,40}, (?:but )?it'?s\b|\b^(?:no|nope|nah)[,.:!;–-]|\b^no \w+, it"
        r"|\bi meant\b|\bmy mistake\b|\bsorry, (?:it's|not|i meant)\b|\b^it's [\w\s+#.-]{2,40}[.!]?$"
    ),
    Cue.CONTACT: (
        rf"\bis (?:now )?(?:our|my|the|your|their|his|her|an?) (?:new |main |only |own |former )?(?:[\w'-]+ ){{0,3}}{_ROLE}\b|\b(?:my|our|the|your) (?:new )?(?:[\w'-]+ ){{0,2}}{_ROLE} (?:is|'s|will be|, )\b"
        rf"|\b(?:my|our) (?:new )?(?:[\w'-]+ ){{0,2}}{_ROLE}\b,? [\w']+\b|\b(?:handles?|looks after|takes care of|in charge of|responsible for|covers?(?: for)?|stands? in|fills in|reports? to|is on call|deputi[sz]es)\b"
        r"|\b(?:ask|talk to|speak to|turn to|contact|reach|get hold of|write to|e-?mail|ping|call|check with) (?!me\b|you\b|us\b|it\b|for\b|this\b|that\b|them\b|him\b|her\b|before\b|if\b|when\b|the user\b)[a-z]\w+"
        r"|\bgoes? (?:through|via|straight to)\b|\b(?:e-?mails?|mails|calls|texts|letters) (?:go nowhere|are ignored|get lost|don't work)\b|\b(?:whatsapp|wechat|signal|telegram|slack|teams|portal|hotline|extension|ext\.?|switchboard|voicemail|fax)\b"
        r"|\btime ?zone\b|\b(?:lives|based|living) in\b|\bhours? (?:ahead|behind)\b|\b(?:reach|reachable|available|answers|picks up|office hours|best time)\b|\b@"
        r"|\b(?:anything|messages?|mails?|letters?|notes?|calls?) (?:to|for|with) (?:her|him|them)\b|\bprefers? (?:to be )?(?:calls?|called|e-?mails?|texts?|messages?|letters|phone|whatsapp|signal)\b|\bname(?:'s| is)\b|\bcalled\b.{0,20}\bnot\b"
    ),
    Cue.FINDING: (
        r"\bfound (?:out|it|that|the|why|what|where)\b|\bfindings?\b|\bturn(?:s|ed) out\b|\broot cause\b|\b(?<!no )caus(?:e|es|ed|ing)\b|\bculprit\b|\breason (?:is|was|for|why|being)\b|\blessons?\b"
        r"|\bcomes? from\b|\bcame from\b|\bthat(?:'s| is| was) why\b|\bexplains?\b|\bfigured (?:it )?out\b|\bgot it:|\btracked (?:it )?down\b|\bit(?:'s| is| was) (?:the|because|only|just|down to|due)\b|\b(?:was|is|'s) the (?:problem|issue|cause|culprit|bug|trick|reason)\b"
        r"|\bthe (?:\w+ )?(?:bug|problem|issue|trick|catch|fix|error|fault|trouble|delay|noise|leak|crash\w*|slowness|warning|smell) (?:is|was|comes|came|were|only|happens|goes)\b|\bconfirmed\b|\b(?:vanish|disappear)(?:es|ed)\b|\bwent away\b|\bexplained\b|\bwas (?:our|the|its|their) \w+|\b(?:measured|tested|verified|observed|learn(?:ed|t)|discovered|noticed|realised|realized|diagnosed)\b"
        r"|\b(?:doubl|tripl|halv|quadrupl)(?:e|es|ed|ing)\b|\b(?:increas|decreas|improv|worsen)(?:e|es|ed)\b|\b(?:dropp?ed|rose|rises|fell|falls|went|goes|grew|down|up) (?:from|to|by)\b|\b(?:collides?d?|leak(?:s|ed|ing)|crash(?:es|ed)|drift(?:s|ed)?|stall(?:s|ed)|overwr\w+|corrupt\w*|cracked|broken?|broke|burn(?:t|ed)|jammed|shorted|overheat\w*|fell over|timed out|ran out)\b"
        r"|\b(?:works|working) (?:now|again|fine|better)\b|\b(?:is|are|'s) (?:gone|fixed|solved|resolved|stable|fine now|back to normal)\b|\bconclusion\b|\bso (?:it's|it is|it was|the|what)\b.{0,30}\b(?:is|was|were|because|caused|stopped)\b|\bwas (?:wrong|missing|too|set|the)\b|\bthe night of\b|\bcompared (?:to|with)\b|\btwice as\b|\btimes (?:as|faster|slower)\b"
    ),
    Cue.RESULT: (
        r"\b(?:done|submitted|shipped|sent|finished|complete[d]?|released|deployed|published|merged|delivered|paid|closed|launched|accepted|rejected|approved|passed|won|lost|handed in|handed over|installed|migrated|repaired|replaced|recorded|signed|uploaded|cleared|hired|arrived|booked|ordered|scheduled|rebooked|postponed|cancelled|canceled|moved)\b"
        r"|\b(?:arrives?|arriving|lands?|comes? in|is (?:due|sending|shipping|coming|delivering))\b|\bdue (?:on|by|date|in|at)?\b|\bdeadlines?\b|\bgoes? (?:out|live|to print|to press)\b|\bwent (?:out|live)\b|\bback online\b|\bis (?:up|live|ready|back|over|through|here)\b"
        r"|\btickets?\b|\bmilestone\b|\bstarts? (?:on|at|from|in|work)\b|\bbegins?\b|\bends? (?:on|in|at)\b|\bi'll (?:\w+) (?:it|them|the|that|on|by|in)?\b|\b(?:i'm|i am) (?:writing|doing|presenting|giving|travelling|flying|leading)\b|\breviews?\b|\bday (?:one|two|three|four|five|six|\d)\b|\bopens? (?:again|on|at)\b|\bset up\b|\bappointments?\b|\b(?:exam|wedding|concert|premiere|opening|meeting|interview|audit|inspection|delivery|workshop|conference|lecture|hearing|rehearsal|race|flight|train) (?:is|on|at|in|moved|from)\b"
    ),
    Cue.UNTIL: (
        r"\b(?:until|till|'til|through(?= (?:the end|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|next|\d)))\b|\bby the end of\b|\bas long as\b|\bwhile (?:i'm|i am|he|she|they|we|the)\b|\bmeanwhile\b|\bin the meantime\b|\bfor the (?:next|rest|coming|duration)\b"
        r"|\b(?:this|all) week\b|\bnot before\b|\bafter i'm back\b|\bon (?:\w+ )?(?:leave|holiday|holidays|vacation|sabbatical)\b|\boff sick\b|\baway\b|\bout of (?:office|town)\b|\btemporar\w+\b|\bin (?:maintenance|quarantine|hospital|repair)\b|\bfrom \w+ (?:to|through|till|until) \w+\b|\bbefore (?:that|then|the \d)\b|\bclosed (?:for|from|on|until)\b"
    ),
    Cue.ONE_OFF: (
        r"\bone-?off\b|\bjust (?:this once|for (?:now|today|this|once|tonight)|this (?:run|time|one|once))\b|\bthis once\b|\bonly (?:this (?:once|time|one)|for (?:this|today|now|tonight|once)|today|tomorrow|tonight|once)\b|\b(?:today|tomorrow|tonight|this week|this time) only\b|\bfor (?:now|the moment|once|a change|today|tonight)\b"
        r"|\bfor (?:this|the) (?:one|time|comparison|round|batch|beta|trip|run|draft|demo|occasion|party|evening|test|issue|order)\b|\bthis time\b(?! it (?:stays|sticks|is for))|\bone copy\b|\bexceptionally\b|\bas an exception\b|\bjust the once\b|\bsingle time\b|\btonight\b"
    ),
    Cue.REASON: (
        r"\bbecause\b|\bsince\b|\bso that\b|\bdue to\b|\bas (?:it|they|we|the|he|she)\b|\botherwise\b|\bthe reason\b|\bthat's why\b|\bbecause of\b|\bin order to\b|\bso (?:i|we|nobody|no one|people)\b|\bor (?:else|it|they|he|she|i)\b|\bhas no\b|\bwould (?:need|have|break|cost)\b|\bthe whole point\b"
    ),
    Cue.IMPERATIVE: rf"{_BEGIN}(?:always |never |only |now |first |please |kindly )?{_VERB}\b(?! (?:is|was|are|were|has|had|does)\b)|\b(?:please|can you|could you|would you|will you|i need you to|i want you to|make sure|see that|i need|i want|get me|remind me|be (?:nice|kind|brief|careful|polite))\b",
    Cue.MANNER: rf"{_BEGIN}(?:please |all |just )?(?!do |look |come |go |find |search |check |wait |help ){_VERB} (?!the |this |that |these |those |a |an |me |him |us |it |them |one |\d|for |to )(?:my |our |all |any )?(?:[\w'-]+ ){{1,3}}(?:as|in|over|via|with|by|through|under|on|at|to|from)\b|^(?:in|on|for|with|to) (?!the |this |that |my |our |your |his |her |a |an |me|now|today|tomorrow|tonight|some|one |once)[a-z]\w+\b[^.;]{{0,30}}[,:]? (?:please )?{_VERB}\b",
    Cue.REQUEST: rf"^(?:ok(?:ay)?,? |right,? |good[,.!]? |[\w' -]{{1,25}}: |and |so |then |now |also |last: |first: |please |great[,.!]? |yes,? |no,? |\w+, )?(?:please |just |kindly |quickly |go (?:and )?)?{_VERB}\b(?!:| (?:is|was|are|were|has|had|does)\b)|^(?:\w+ )?(?:can|could|would|will) you\b|\bi need you to\b|\bremind me\b|\bplease$|\bi need a\b|^(?:i'd like|i want|get me|give me|need)\b",
    Cue.PROHIBITION: rf"{_BEGIN}(?:please )?(?:don't|do not|never|avoid|stop|no|not|nothing|without) \w+|\bno (?:more )?\w+(?:ing|s)?\b|\bnot (?:under|in|on|to|for|with|by|via|the)\b|\bnothing (?:gets|goes|is|that)\b|\bnobody\b|\bkeep out\b|\boff[- ]limits\b",
    Cue.QUESTION: (
        r"\?[\"')\ufffc]*$|^(?:and |so |but |ok(?:ay)?,? |hey,? |then )?(?:what(?:'s| is| are| do| does| did| would| about| should| can| have| if| else| was| were)\b|whats\b|why\b|how (?:do|does|did|is|are|many|much|long|about|come|should|can|would|often|far|old|big)\b|how's\b|where (?:is|are|do|does|did|was|can|should|'s)\b|where's\b|who (?:is|are|can|does|did|was|should|handles)\b|who's\b|which (?!is\b|was\b|means\b|makes\b|are\b)(?:\w+ )(?:is|are|do|does|did|was|should)\b|which one\b|when (?:is|are|do|does|did|will|was|can|should)\b"
        r"|is (?:this|that|it|the|there|he|she|my|our)\b|are (?:you|they|we|there|the|these|those)\b|do (?:you|we|i|they)\b|does\b|did\b|have (?:you|we|i)\b|has (?:he|she|it|the|anyone)\b|was (?:it|that|there|the)\b|were\b|any (?:idea|news|update)\b|shall (?:we|i)\b|should (?:we|i)\b)"
    ),
    # A wish of the writer's own or a passing judgement, not a doubt about a fact.
    Cue.VAGUE: (
        r"\b(?:i|we) (?:might|may|could see|could imagine)\b|\bmaybe (?:i|we|one|some)\b|\bone day\b|\bsome ?day\b|\bwould be (?:a )?(?:fun|nice|cool|great|lovely|neat|sweet|interesting)\b|\bwouldn't mind\b|\btempt(?:ed|ing)\b|\bthinking (?:of|about) (?:getting|buying|taking|trying|going|learning|starting)\b"
        r"|\bcould be (?:fun|nice|interesting)\b|\b(?:not|no|wasn't|isn't|weren't|aren't) (?:that |too |half |so )?bad\b|\b(?:was|were|is|are|looks?|sounds?|seems?) (?:really |quite |rather |pretty |so |very |kind of )?(?:nice|lovely|pretty|cute|fun|cool|tasty|delicious|fascinating|charming|gorgeous|beautiful|neat|intriguing)\b"
        r"|\b(?:i|quite|rather|half) fancy\b|\bfancy \w+ing\b|\bwho knows\b|\bwe'll see\b|\bdunno\b|\bi wish\b|\bif only\b|\bdream(?:ing|t|ed)? of\b|\btoying with\b|\bcurious (?:about|to)\b|\bi(?:'d| would) love to\b|\bi keep meaning to\b|\b(?:when|if) i (?:get|find) (?:the |some )?time\b|\bsome other time\b|\bnot a priority\b"
    ),
    Cue.HYPOTHETICAL: (
        r"\bif (?:only )?(?:i|we) (?:ever |just |only |really )?(?:had|were|was|could|won|moved|did|became|got|knew|went|lived|ran|quit|owned|started|ruled|wrote|spoke|didn't|weren't)\b|\bif (?:i|we)'d\b|\bsuppos(?:e|ing)\b|\bimagine\b|\bwhat if\b|\bin (?:another|a parallel|my next|the next|a different) (?:life|world|universe)\b|\bhypothetical(?:ly)?\b|\blet's say\b|\bpretend\b|\bwould have (?:been|had|bought|gone)\b|\bif .{1,80}\bi'd (?:have|be|need|buy|move|quit|become|run|open|live|never|just)\b|\bwere i\b|\bhad i\b"
    ),
    Cue.JOKE: r"\b(?<=\S )(?:ha(?:ha)+h?|lol|lmao|rofl|hehe|jk)\b|\b(?<!not )kidding\b|\b(?<!not )joking\b|\bsarcas\w+|\bjust a joke\b",
    Cue.LAUGHTER: r"^(?:(?:ha(?:ha)*h?|lo+l|lmao|rofl|hehe+|heh|jk|😂|🤣|😄|😉|:d|:-?\)|;-?\)|xd|good one|funny|very funny)[\s.!,]*)+$",
    Cue.REVOKED: r"^(?:ok(?:ay)?,? |no,? |oh,? |hm+,? |actually,? )?(?:never ?mind|scratch that|forget (?:it|that|what i said)|ignore that|disregard|just kidding|kidding|i(?:'m| was) (?:only |just )?(?:kidding|joking)|jk|undo that|strike that|not serious)\b",
    Cue.DECLINED: r"\b^(?:ok(?:ay)?,? |no,? |hm+,? |nah,? |god,? |please )?(?:skip|leave|drop|forget|ignore) (?:it|that|this|all that|them)\b[\s.,!]*$|\b(?:skip|ignore) (?:it|that|all that)[.!]?$|\bno thanks?\b|\bnot interested\b|\b^god no\b|\bnone of (?:it|that)\b",
    Cue.OTHERS: (
        r"\b(?:he|she|they|people|everyone|everybody|some|someone|the (?:book|article|blog|podcast|guide|author|man|woman|guy|video|talk|neighbou?r|waiter|driver|barber|internet|influencer|speaker|sign|website|magazine)|(?:my|his|her|their|our) (?:\w+ )?(?:brother|sister|mother|mum|mom|father|dad|uncle|aunt|cousin|friend|flatmate|roommate|neighbou?r|boss|colleague|supervisor|wife|husband|partner|son|daughter|girlfriend|boyfriend|teacher|grandmother|grandma|grandfather|grandpa|gran|nephew|niece|mate|coach|barber|landlord|landlady|ex|in-laws|trainer|doctor|dentist))(?: \w+)?(?:'d|'ll| always| never| just| only| also| still| really| once| used to| would)* "
        r"(?:says?|said|thinks?|believes?|claims?|swears?|prefers?|likes?|loves?|hates?|insists?|argues?|reckons?|keeps|tells?|told|adores?|recommends?|maintains|dislikes?|can't stand|wants?|wears?|always|never|decided|eats?|calls?|refuses?)\b"
        r"|\b's (?:view|opinion|motto|taste|advice|theory|philosophy|favou?rite|idea of)\b|\b(?:he|she)'s (?:a|an) [\w-]+ (?:person|fan|guy|man|woman|type|fanatic|believer|purist)\b|\bhe's adamant\b|\bshe's adamant\b|\baccording to\b|\breading (?:a|the|this|some) (?:\w+ )?(?:book|blog|article)\b|\bhe'll (?:say|want|ask)\b|\bshe'll (?:say|want|ask)\b|\bthey'll (?:say|want|ask)\b"
    ),
    Cue.LOCATED: r"\b(?:is|'s|are|lives?|sits|resides?|runs?|listens?|found|kept|stored|stands?) (?:now )?(?:at|in|on|under) (?:~|/|port\b|https?|[\w-]+\.[a-z])|\b(?:address|path|url|folder|directory|host|port|repo|checkout) (?:is|:|=)",
    Cue.QUOTES: r"\ufffc[^.!?]{0,30}\b(?:says?|said|writes?|wrote|'ll say|goes)\b|\b(?:says?|said|saying|wrote|writes|quote|claims?|goes|motto|view|theory|opinion|advice|book|article|he|she|they)\b[^.!?\ufffc]{0,25}[,:]? ?\ufffc",
    Cue.FAVOUR: r"\b(?:can|could|would|will) you\b|\bfor me\b|\bi need you to\b|\bremind me\b|\bget me\b",
    Cue.TASTE: r"\b(?:prefers?|likes?|loves?|hates?|swears? by|believes?|thinks?|reckons?|insists?|adores?|dislikes?|can't stand|always|never|favou?rite|fan|person|view|opinion|motto|adamant|would prefer|recommends?|wants me)\b",
    Cue.REPORTED: r"\b(?:says?|said|told (?:me|us)|tells (?:me|us)|writes?|wrote|reports?|confirmed|replied|answered|announced|promised|asks?|asked)\b",
    Cue.DANGLING: (
        r"\b(?:the )?(?:same )?way (?:we|you|i|he|she|they|\w+) (?:said|did|discussed|agreed|talked|had|wanted|proposed|suggested|showed|described|liked)\b|\b(?:just |exactly )?as (?:before|usual|discussed|agreed|planned|we (?:said|discussed|agreed|talked)|(?:he|she|they|i|you) (?:said|proposed|suggested|wanted|asked|did)|last time)\b"
        r"|\blike (?:before|last time|usual|(?:we|he|she|they|you|i|\w+) (?:said|proposed|suggested|wanted|did|had|discussed|showed|described|always do)|the (?:last|other|previous) (?:one|time))\b|\bsame (?:trick|thing|procedure|style|approach|again|treatment)\b|\bthe usual(?: way| thing| place| stuff)?\b|\bthat (?:plan|thing|idea|trick|approach|other one)\b|\bwhat (?:we|you|he|she) (?:said|discussed|agreed|proposed|suggested)\b"
        r"|\bthe (?:first|second|third|fourth|other|last|previous|old|middle|left|right|green|blue|red|shorter|longer) (?:one|variant|version|option|draft|picture|photo|design|idea|proposal|suggestion)\b|\bfrom (?:last time|before|yesterday's)\b|\bthe one (?:we|you|i|from|he|she)\b|\byou know (?:which|what|how|the one)\b|\bthe way i (?:like|want) (?:it|them|things)\b"
    ),
    Cue.ANSWER: r"^(?:yes|yep|yeah|yup|no|nope|nah|sure|exactly|correct|right|agreed|both|neither|either|(?:the |option )?(?:latter|former|first|second|third|last|[abc12])(?: one| option)?|do (?:that|it)|go (?:for|with) (?:it|that|the)|that one|this one|keep it|make it so|definitely|absolutely|please do|whichever)\b(?=[,.:;!– -]|$)",
}  # fmt: skip
