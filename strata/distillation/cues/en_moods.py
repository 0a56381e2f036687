"""English wording of requests, questions, doubts, jokes and other people's views."""

from __future__ import annotations

from strata.distillation.cues.kinds import Cue

# Where an order can begin: first in the sentence, after a mark, or after a small word.
_BEGIN = (
    r"\b(?:(?<![\w%)\"'] )|(?:so|and|then|but|please|pls|just|also"
    r"|either way|otherwise),? )"
)
_VERB = (
    r"(?:use|keep|write|put|send|sign|name|call|ask|tell|show|give|make|do"
    r"|add|set|run|rerun|start|stop|avoid|leave|let|check|test|book|order"
    r"|buy|get|find|search|look|draft|print|pay|reserve|log|note|save|store"
    r"|file|move|rename|remove|delete|drop|cut|trim|shrink|convert|export"
    r"|import|install|update|upgrade|deploy|restart|restore|rotate|swap"
    r"|switch|turn|change|fix|correct|replace|merge|split|rebase|commit"
    r"|push|pull|clone|tag|release|publish|post|share|forward|reply|answer"
    r"|explain|invite|decline|cancel|schedule|reschedule|plan|prepare|pick"
    r"|choose|take|bring|open|close|lock|build|compile|render|plot|draw"
    r"|scan|read|review|translate|summari[sz]e|compare|list|count|measure"
    r"|report|spell|format|round|quote|charge|bill|invoice|remind|wake|ping"
    r"|email|e-mail|mail|text|message|phone|confirm|wait|hold|skip|ignore"
    r"|include|exclude|attach|upload|download|sync|back up|backup|archive"
    r"|clean|wash|pack|ship|deliver|collect|return|renew|freeze|enter"
    r"|register|fill|assign|block|mark|label|link|mention|refer|cite"
    r"|address|greet|treat|handle|prefer|default|stick|go|come|try|teach"
    r"|help|propose|suggest|extend|shorten|pin|bump|double|halve|crop"
    r"|resize|blur|mute|record|cook|serve|feed|water|play|copy|paste|type"
    r"|stay|work)"
)

CUES = {
    Cue.IMPERATIVE: (
        rf"{_BEGIN}(?:always |never |only |now |first |please "
        rf"|kindly )?{_VERB}\b(?! (?:is|was|are|were|has|had|does)\b)"
        r"|\b(?:please|can you|could you|would you|will you|i need you to"
        r"|i want you to|make sure|see that|i need|i want|get me|remind me"
        r"|be (?:nice|kind|brief|careful|polite))\b"
    ),
    Cue.MANNER: (
        r"^(?:all |any )?[a-z-]+s (?:in|as|with|without|on|by) [\w' -]{3,30},? please\b"
        rf"|{_BEGIN}(?:please |all |just )?(?!do |look |come |go |find "
        rf"|search |check |wait |help ){_VERB} (?!the |this |that |these "
        r"|those |a |an |me |him |us |it |them |one |\d|for |to )(?:my "
        r"|our |all |any )?(?:[\w'-]+ ){1,3}(?:as|in|over|via|with|by"
        r"|through|under|on|at|to|from)\b|^(?:in|on|for|with|to) (?!the "
        r"|this |that |my |our |your |his |her |a |an |me|now|today"
        r"|tomorrow|tonight|some|one "
        rf"|once)[a-z]\w+\b[^.;]{{0,30}}[,:]? (?:please )?{_VERB}\b"
    ),
    Cue.REQUEST: (
        r"^(?:ok(?:ay)?,? |right,? |good[,.!]? |[\w' -]{1,25}: |and |so "
        r"|then |now |also |last: |first: |please |great[,.!]? |yes,? "
        r"|no,? |\w+, )?(?:please |just |kindly |quickly "
        rf"|go (?:and )?)?{_VERB}\b(?!:| (?:is|was|are|were|has|had|does)\b)"
        r"|^(?:\w+ )?(?:can|could|would|will) you\b|\bi need you to\b"
        r"|\bremind me\b|\bplease$|\bi need a\b|^i (?:need|have) to\b"
        r"|, (?:please )?(?:get rid of|throw|bin|delete|drop|fix|send|do) (?:it|them"
        r"|that|the one)\b|^(?:i'd like|i want|get me"
        r"|give me|need)\b"
    ),
    Cue.PROHIBITION: (
        rf"{_BEGIN}(?:please )?(?:don't|do not|never|avoid|stop|no|not"
        r"|nothing|without) \w+|\bno (?:more )?\w+(?:ing|s)?\b"
        r"|\bnot (?:under|in|on|to|for|with|by|via|the)\b|\bnothing (?:gets"
        r"|goes|is|that)\b|\bnobody\b|\bkeep out\b|\boff[- ]limits\b"
    ),
    Cue.QUESTION: (
        r"\?[\"')\ufffc]*$|^(?:and |so |but |ok(?:ay)?,? |hey,? "
        r"|then )?(?:what(?:'s| is| are| do| does| did| would| about"
        r"| should| can| have| if| else| was| were)\b|whats\b|why\b"
        r"|how (?:do|does|did|is|are|many|much|long|about|come|should|can"
        r"|would|often|far|old|big)\b|how's\b|where (?:is|are|do|does|did"
        r"|was|can|should|'s)\b|where's\b|who (?:is|are|can|does|did|was"
        r"|should|handles)\b|who's\b|which (?!is\b|was\b|means\b|makes\b"
        r"|are\b)(?:\w+ )(?:is|are|do|does|did|was|should)\b|which one\b"
        r"|when (?:is|are|do|does|did|will|was|can|should)\b|is (?:this"
        r"|that|it|the|there|he|she|my|our)\b|are (?:you|they|we|there|the"
        r"|these|those)\b|do (?:you|we|i|they)\b|does\b|did\b|have (?:you"
        r"|we|i)\b|has (?:he|she|it|the|anyone)\b|was (?:it|that|there"
        r"|the)\b|were\b|any (?:idea|news|update)\b|shall (?:we|i)\b"
        r"|should (?:we|i)\b)|\bhow \w+ (?:is|was) (?:that|this|it)\W*$"
    ),
    # A wish of the writer's own or a passing judgement, not a doubt about a fact.
    Cue.VAGUE: (
        r"\b(?:i|we) (?:might|may|could see|could imagine)\b|\bmaybe (?:i"
        r"|we|one|some)\b|\bone day\b|\bsome ?day\b"
        r"|\b(?:would|might|may) be (?:a )?(?:fun|nice|cool|great|lovely|neat|sweet"
        r"|interesting)\b|\bi keep (?:thinking|wondering|dreaming|imagining)\b"
        r"|\bone of these (?:days|weeks|years)\b"
        r"|\bi'd say (?:we|i|let's)\b|\bwouldn't mind\b|\btempt(?:ed|ing)\b"
        r"|\bthinking (?:of|about) (?:getting|buying|taking|trying|going"
        r"|learning|starting)\b|\bcould be (?:fun|nice|interesting)\b"
        r"|\b(?:not|no|wasn't|isn't|weren't|aren't) (?:that |too |half "
        r"|so )?bad\b|\b(?:was|were|is|are|looks?|sounds?"
        r"|seems?) (?:really |quite |rather |pretty |so |very "
        r"|kind of )?(?:nice|lovely|pretty|cute|fun|cool|tasty|delicious"
        r"|fascinating|charming|gorgeous|beautiful|neat|intriguing)\b"
        r"|\b(?:i|quite|rather|half) fancy\b|\bfancy \w+ing\b|\bwho knows\b"
        r"|\bwe'll see\b|\bdunno\b|\bi wish\b|\bif only\b|\bdream(?:ing|t"
        r"|ed)? of\b|\btoying with\b|\bcurious (?:about|to)\b|\bi(?:'d"
        r"| would) love to\b|\bi keep meaning to\b|\b(?:when|if) i (?:get"
        r"|find) (?:the |some )?time\b|\bsome other time\b"
        r"|\bnot a priority\b"
        r"|\b(?:asks?|asked|wonders?|wants? to know) (?:me |us )?(?:whether|if|how"
        r"|why)\b"
    ),
    Cue.HYPOTHETICAL: (
        r"\bif (?:only )?(?:i|we) (?:ever |just |only |really )?(?:had|were"
        r"|was|could|won|moved|did|became|got|knew|went|lived|ran|quit"
        r"|owned|started|ruled|wrote|spoke|didn't|weren't)\b|\bif (?:i"
        r"|we)'d\b|\bsuppos(?:e|ing)\b|\bimagine\b|\bwhat if\b"
        r"|\bin (?:another|a parallel|my next|the next|a different) (?:life"
        r"|world|universe)\b|\bhypothetical(?:ly)?\b|\blet's say\b"
        r"|\bpretend\b|\bwould have (?:been|had|bought|gone)\b"
        r"|\bif (?:i|we) (?:win|die|ever)\b|\bfor the rest of my (?:days|life)\b"
        r"|\bi (?:dreamt|dreamed)\b|\b(?:would|'d) (?:rather|prefer) (?:that )?i \w+"
        r"|\bif .{1,80}\bi'd (?:have|be|need|buy|move|quit|become|run|open"
        r"|live|never|just)\b|\bwere i\b|\bhad i\b"
    ),
    Cue.JOKE: (
        r"\b(?<=\S )(?:ha(?:ha)+h?|lol|lmao|rofl|hehe|jk)\b"
        r"|\b(?<=rule) i guess\b|\b(?<!not )kidding\b|\b(?<!not )joking\b|\bsarcas\w+"
        r"|\bjust a joke\b"
        # Only jest is solemn in a chat.
        r"|\bhereby\b|\bdecrees?\b|\bsolemnly\b|\bi have spoken\b|\bhear ye\b"
        r"|\b(?:your|his|her|my) (?:majesty|highness|excellency)\b|\bthis day forth\b"
    ),
    Cue.LAUGHTER: (
        r"^(?:(?:ha(?:ha)*h?|lo+l|lmao|rofl|hehe+|heh|jk|😂|🤣|😄|😉|:d"
        r"|:-?\)|;-?\)|xd|good one|funny|very funny)[\s.!,]*)+$"
    ),
    # How somebody feels, and what one says to nobody in particular.
    Cue.MOOD: (
        r"^(?:[\w' ]{1,12}[,.!] )?what an? (?!about|if)\w+|^(?:god|lord|heavens?"
        r"|good grief|help)\b"
        r"|\b(?:can't|couldn't|cannot) (?:sleep|stop (?:thinking|laughing)"
        r"|be bothered|wait)\b"
        r"|\bi(?:'m| am)(?: \w+)? (?:tired|knackered|exhausted|bored|hungry|happy|sad"
        r"|glad"
        r"|nervous|excited|fed up|shattered|sleepy|grumpy)\b|\blong day\b"
        r"|\bwhatever[.!]?$"
        r"|\bhow (?:lovely|nice|sweet|dull|boring|typical|charming|creepy)\b"
        r"|, help[.!]?$"
        r"|\bi have aged\b|\bi could (?:cry|weep|scream|kill|murder)\b"
        r"|\bi need (?:coffee|sleep"
        r"|tea|a drink|a holiday)\b|\b(?:he|she|they)(?:'ll| will) (?:go far"
        r"|be so (?:pleased"
        r"|happy))\b|\bmorale\b|\bthat's life\b|\bnever a dull\b"
    ),
    Cue.SERIOUS: (
        r"^(?:but |ok(?:ay)?,? |no,? )?(?:for real|seriously|in (?:all )?earnest"
        r"|joking aside|jokes aside|all joking aside|back to reality)\b"
    ),
    Cue.REVOKED: (
        r"^(?:ok(?:ay)?,? |no,? |oh,? |hm+,? |actually,? )?(?:never ?mind"
        r"|scratch that|forget (?:it|that|what i said)|ignore that"
        r"|disregard|just kidding|kidding|i(?:'m| was) (?:only "
        r"|just )?(?:kidding|joking)|jk|undo that|strike that"
        r"|not serious)\b"
    ),
    Cue.DECLINED: (
        r"\b^(?:ok(?:ay)?,? |no,? |hm+,? |nah,? |god,? |please )?(?:skip"
        r"|leave|drop|forget|ignore) (?:it|that|this|all that"
        r"|them)\b[\s.,!]*$|\b(?:skip|ignore) (?:it|that|all that)[.!]?$"
        r"|\bno thanks?\b|\bnot interested\b|\b^god no\b|\bnone of (?:it"
        r"|that)\b"
    ),
    Cue.OTHERS: (
        r"\b(?!every(?:one|body) wants?\b)(?!(?:he|she|they) (?:always |never |only )+"
        r"(?:opens?|reads?|answers?|picks? up|repl(?:y|ies)|checks?|reacts?|works?"
        r"|comes?)\b)"
        r"(?:he|she|they|people|everyone|everybody"
        r"|some|someone|somebody"
        r"|the [\w'-]+ (?:here|there|next door|downstairs|upstairs"
        r"|across the road)|the (?:book|article|blog|podcast|guide|author"
        r"|man|woman|guy|video|talk|neighbou?r|waiter|driver|barber"
        r"|internet|influencer|speaker|sign|website|magazine)|(?:my|his|her"
        r"|their|our) (?:\w+ )?(?:brother|sister|mother|mum|mom|father|dad"
        r"|uncle|aunt|cousin|friend|flatmate|roommate|neighbou?r|boss"
        r"|colleague|supervisor|wife|husband|partner|son|daughter"
        r"|girlfriend|boyfriend|teacher|grandmother|grandma|grandfather"
        r"|grandpa|gran|nephew|niece|mate|coach|barber|landlord|landlady|ex"
        r"|in-laws|trainer|doctor|dentist))(?: \w+){0,3}?(?:'d|'ll| always"
        r"| never| just| only| also| still| really| once| used to"
        r"| would)* (?:says?|said|thinks?|believes?|claims?|swears?"
        r"|prefers?|likes?|loves?|hates?|insists?|argues?|reckons?|keeps"
        r"|tells?|told|adores?|recommends?|maintains|dislikes?|can't stand"
        r"|wants?|wears?|always|never|decided|eats?|calls?|refuses?)\b"
        r"|\b's (?:view|opinion|motto|taste|advice|theory|philosophy"
        r"|favou?rite|idea of)\b|\b(?:he|she)'s (?:a|an) [\w-]+ (?:person"
        r"|fan|guy|man|woman|type|fanatic|believer|purist)\b"
        r"|\bhe's adamant\b|\bshe's adamant\b|\baccording to\b"
        r"|\b(?:he|she|they|some\w+)(?: also| still| now| always)* wants? (?:us"
        r"|me) to\b"
        r"|\bmaintains that\b|\breading (?:a|the|this|some) (?:\w+ )?(?:book|blog"
        r"|article)\b"
        r"|\bhe'll (?:say|want|ask)\b|\bshe'll (?:say|want|ask)\b"
        r"|\bthey'll (?:say|want|ask)\b"
    ),
    Cue.QUOTES: (
        r"\ufffc[^.!?]{0,30}\b(?:says?|said|writes?|wrote|'ll say|goes)\b"
        r"|\b(?:says?|said|saying|wrote|writes|quote|claims?|goes|motto"
        r"|view|theory|opinion|advice|book|article|he|she"
        r"|they)\b[^.!?\ufffc]{0,25}[,:]? ?\ufffc"
    ),
    Cue.FAVOUR: (
        r"\b(?:can|could|would|will) you\b|\bfor me\b|\bi need you to\b"
        r"|\bremind me\b|\bget me\b"
    ),
    Cue.TASTE: (
        r"\b(?:prefers?|likes?|loves?|hates?|swears? by|believes?|thinks?"
        r"|reckons?|insists?|adores?|dislikes?|can't stand|always|never"
        r"|favou?rite|fan|person|view|opinion|motto|adamant|would prefer"
        r"|recommends?|wants me)\b"
    ),
    Cue.DANGLING: (
        r"\b(?:the )?(?:same )?way (?:we|you|i|he|she|they|\w+) (?:said|did"
        r"|discussed|agreed|talked|had|wanted|proposed|suggested|showed"
        r"|described|liked)\b|\b(?:just |exactly )?as (?:before|usual"
        r"|discussed|agreed|planned|we (?:said|discussed|agreed|talked)"
        r"|(?:he|she|they|i|you) (?:said|proposed|suggested|wanted|asked"
        r"|did)|last time)\b|\blike (?:before|last time|usual|(?:we|he|she"
        r"|they|you|i|\w+) (?:said|proposed|suggested|wanted|did|had"
        r"|discussed|showed|described|always do)|the (?:last|other"
        r"|previous) (?:one|time))\b|\bsame (?:trick|thing|procedure|style"
        r"|approach|again|treatment)\b|\bthe usual(?: way| thing| place"
        r"| stuff)?\b|\bthat (?:plan|thing|idea|trick|approach|other one)\b"
        r"|\bwhat (?:we|you|he|she) (?:said|discussed|agreed|proposed"
        r"|suggested)\b|\bthe (?:first|second|third|fourth|other|last"
        r"|previous|old|middle|left|right|green|blue|red|shorter"
        r"|longer) (?:one|variant|version|option|draft|picture|photo|design"
        r"|idea|proposal|suggestion)\b(?! (?:is|are) )|\bfrom (?:last time|before"
        r"|yesterday's)\b|\bthe one (?:we|you|i|from|he|she)\b"
        r"|\byou know (?:which|what|how|the one)\b|\bthe way i (?:like"
        r"|want) (?:it|them|things)\b"
    ),
    Cue.ANSWER: (
        r"^(?:yes|yep|yeah|yup|no|nope|nah|sure|exactly|correct|right"
        r"|agreed|both|neither|either|(?:the |option )?(?:latter|former"
        r"|first|second|third|last|[abc12])(?: one| option)?|do (?:that|it)"
        r"|go (?:for|with) (?:it|that|the)|that one|this one|keep it"
        r"|make it so|definitely|absolutely|please do"
        r"|whichever)\b(?=[,.:;!– -]|$)"
    ),
}
