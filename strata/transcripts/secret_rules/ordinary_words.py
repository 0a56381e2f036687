"""Words that follow "password" in ordinary sentences, or stand where a value would."""

from __future__ import annotations

# One list for prose ("the password is required") and for code ("password: string").
ORDINARY_WORDS = frozenset(
    """
    a able about above absent accepted access according account active actually added
    admins after again ago all allowed almost already also always an and anonymous
    another any anymore anyone anything api apikey app are array as ask asked at auth
    authentication authorization auto automatically available away back bad base64 based
    be bearer because been before being below better between bitwarden blank body bool
    boolean both bound broken but by bytes cache callback can cannot case changed char
    character characters chars check checked chosen class clear cleartext code command
    common compared complete complex compliant compromised confidential config
    configurable configuration configured confirmed consistent const constant context
    cookie correct correctly could created credential credentials current currently
    custom data dead def default defined deleted denied deprecated derived dict
    different disabled do document does done due each easy eight either element email
    empty enabled encoded encrypted encryption enough enter entered enum env environment
    error even event every everything exactly example expired expires expiring exposed
    expression extra fail failed fails false field fields file filled fine first five
    fixed float for forbidden forgotten form found four free friday from full func
    function generated get getting global gone good granted great guessable guessed had
    handled handler hard hardcoded has hash hashed hashing have header headers here
    hidden hint hour how id if ignored illegal important in inactive included incorrect
    incorrectly independent initial input insecure inside instead insufficient int
    integer interface internal into invalid irrelevant is issue issued issues it item
    its job just keep kept key keychain keyfile keyring keys known label last lastpass
    later leaked least left length less let letters like limited line list loaded local
    locked logged login long longer lost lowercase made managed manager mandatory
    manually many map masked match matched matches matching maximum maybe meant message
    method minimum minute mismatch missing mode module monday more most much must my
    myself name need needed needs never new next nil nine no nobody none normal not
    nothing now null number number1 numbers numeric oauth object obsolete of off ok okay
    old on once one onepassword only open option optional optionalstring or other our
    out outdated over own pass passed passphrase passwd password passwords pending per
    permanent persisted persistent personal pin pinned placeholder plain plaintext
    please policy possible posted preferred present printed private probably problem
    problems prompt prompted property props protected provided proxy public pulled pwd
    query question random randomly rather read readonly ready really reasonable received
    recently recommended recovery redacted redundant ref reference refreshed refused
    regex rejected relevant reliable removed renewed repeated replaced request requested
    required reset resistant response restricted result return returned reused revoked
    right rotated rotating rotation rule safe salted same sample saturday save saved
    schema secret secrets secretstr secure secured securestring see select self
    sensitive sent separate serialized server service session set setting settings seven
    shared short should shown signed signing similar simple simply single situation six
    something somewhere soon specific specified stale standard stdin still stolen
    storage stored str strength string strong stronger struct stuff such sufficient
    sunday super supplied supported symbols synced table taken template temporary ten
    test text than that the their them then there these they thing things this those
    three thursday tied tight to today together token tokens tomorrow tonight too
    tracked transparent trimmed trivial true try tuesday tuple twelve twice two type
    typed types unable unavailable unchanged undefined under unencrypted union unique
    unknown unless unmasked unnecessary unreadable unsafe unset until unused up updated
    upper uppercase url used user username users using usual uuid valid validated value
    var variable variables vault verified version very via view visible void want
    warning was way we weak wednesday well were what whatever when where which while who
    whose why will with within without working would written wrong yaml yes yesterday
    yet you your yours
    """.split()  # noqa: SIM905 - a list of words is read as words
)

# How adjectives and participles end: "mandatory", "case-sensitive", "auto-generated".
ORDINARY_ENDINGS = (
    *("ed", "ing", "able", "ible", "ory", "ous", "ive", "less", "ful"),
    *("-only", "-free", "-safe", "-known", "-long", "-wide", "-specific", "-to-date"),
    *("ally", "ically", "tly", "-in", "-out", "-up", "-set", "-bit", "-side", "-based"),
)

# What stands for a value: words, never a value itself.
STAND_INS = frozenset(
    """
    1password api-key api_key apikey change-me change_me changeit changeme contraseña
    dummy dummy-password example examplepassword fill_me_in fixme foo foobar hidden
    insert_here key mask masked my-api-key my-password my-secret my-token my_api_key
    my_password my_secret my_token mypassword mysecret mytoken n/a nil none null pass
    passw0rd-here passwd password passwort placeholder pwd redacted removed replace
    replace-me replace_me replaceme sample sanitized secret secret-here secret_here
    senha string tba tbd todo token undefined unset user username value your-password
    your_password yourpassword пароль パスワード 令牌 口令 密码 密碼 密钥 비밀번호
    """.split()  # noqa: SIM905 - a list of words is read as words
)
