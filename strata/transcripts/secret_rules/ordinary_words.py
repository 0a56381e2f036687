"""Words that follow "password" in ordinary sentences, or stand where a value would."""

from __future__ import annotations

# One list for prose ("the password is required") and for code ("password: string").
ORDINARY_WORDS = frozenset(
    """
    a able about above absent accepted according account active actually added after again
    all allowed almost already also always an and another any anyone anymore anything are
    as ask asked at auto automatically available away back bad based be because been before
    being below better between blank both bound broken but by can cannot case changed char
    character characters chars check checked chosen clear cleartext common compared
    complete complex compliant compromised configurable confidential configured confirmed
    correct correctly could created current currently custom data dead default defined
    deleted denied deprecated derived different disabled do does done due each easy either
    empty enabled encoded encrypted enough enter entered env environment error even every
    everything exactly example expired expires expiring exposed extra fail failed fails
    false field file filled fine first fixed for forbidden forgotten found free from full
    generated get getting gone good granted great guessable guessed had handled hard
    hardcoded has hashed hashing have here hidden how if ignored illegal important in
    inactive included incorrect incorrectly initial input inside instead insecure int
    integer internal into invalid is issued it its just keep kept known last later leaked
    least left length less letters like limited loaded local locked logged long longer
    lost lowercase made managed mandatory manually many masked match matched matches matching
    maximum maybe meant minimum mismatch missing more most much must my myself need needed
    needs never new next nil no nobody none normal not nothing now null number numbers
    numeric object obsolete of off ok okay old on once one only open optional or other our
    out outdated over own passed pending per permanent persisted personal plain plaintext
    please possible posted preferred present printed private probably prompted protected
    provided public pulled random randomly rather read ready really reasonable received
    recommended redacted refreshed refused rejected reliable removed renewed repeated
    replaced required requested reset restricted returned reused revoked right rotated
    rotating safe salted same save saved secret secure secured see sensitive sent separate
    serialized server set shared short should shown similar simple simply single
    something somewhere specific specified standard still stale stolen stored str string
    strong stronger such supplied supported symbols synced taken temporary test text than
    that the their them then there these they thing this those tied tight to today
    together too tracked trimmed trivial true try type typed unable unavailable unchanged
    under undefined unencrypted unique unknown unless unmasked unnecessary unreadable unsafe
    unset until unused up updated upper uppercase used user using usual valid validated
    value variable verified very via visible void want was way we weak well were what
    whatever when where which while who whose why will with within without working would
    written wrong yes yet you your yours
    absent access admins anonymous api apikey app array auth authentication authorization
    base64 bearer bitwarden body bool boolean bytes cache callback class code command
    config configuration const context cookie credential credentials def dict document
    element email enum event expression float form function func global handler hash header
    headers hint id interface item job key keychain keyfile keyring keys label lastpass let
    line list login manager map message method mode module name number1 oauth onepassword
    option optionalstring pass password passphrase passwd passwords pin pinned placeholder
    policy prompt property props proxy pwd query readonly ref reference regex request
    response result return rule sample schema secrets secretstr securestring select self
    service session settings setting stdin struct super table template token tokens tuple
    types union url username users uuid var variables vault version view warning yaml
    authentication signing signed encryption stuff situation thing things question
    compliant consistent constant independent insufficient irrelevant permanent persistent
    redundant relevant resistant sufficient transparent
    ago eight five four hour minute monday friday nine recently saturday seven six soon
    sunday ten three thursday today tomorrow tonight tuesday twelve twice two wednesday yesterday
    issue issues problem problems fields recovery rotation storage strength
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
    changeme change_me change-me changeit dummy dummy-password example examplepassword foo
    foobar fixme fill_me_in hidden insert_here mask masked my-password my_password
    mypassword my-secret my_secret mysecret my-token my_token mytoken my-api-key my_api_key
    1password n/a none null nil pass passw0rd-here password passwort contraseña senha passwd
    placeholder pwd redacted removed replace replaceme replace_me replace-me sample sanitized
    secret secret-here secret_here string tbd todo token undefined unset user username value
    your-password your_password yourpassword api-key api_key apikey key tba
    密码 密碼 口令 令牌 密钥 пароль パスワード 비밀번호
    """.split()  # noqa: SIM905 - a list of words is read as words
)
