"""Words in the names of settings: those that make a value secret, those that do not."""

from __future__ import annotations

CODE_OWNERS = frozenset(
    """
    verification fa time factor
    security access door gate alarm unlock entry login auth otp sms
    lock authentication safe backup recovery authenticator pin pass garage keypad
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""What a code is for, if it opens something: ``door code``, ``verification code``."""

KEY_OWNERS = frozenset(
    """
    api access private secret encryption encrypt encoding aes signing sign master
    app account shared storage client service license licence auth deploy ssh root
    admin mch pay hmac jwt rsa consumer subscription webhook server crypto cipher
    security product activation recovery read write preshared host google maps
    openai anthropic stripe sendgrid deepseek moonshot zhipu dashscope qwen kimi
    mistral cohere groq gemini claude gpt llm hf huggingface replicate tavily serper
    brave amap baidu tencent aliyun weather algolia datadog newrelic mailgun twilio
    azure aws gcp cloudflare heroku github gitlab slack discord telegram notion
    linear figma bot user cookie wx wechat functions openrouter perplexity jina
    voyage elevenlabs deepl siliconflow minimax volc ark publishing ingest
    integration routing dashboard v3 data
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""Whose key it is, if it is a secret one: ``api_key``, ``STRIPE_KEY``."""

KEY_STRANGERS = frozenset(
    """
    public primary foreign cache sort partition idempotency dedupe dedup hot short
    message lookup group composite unique object row column index range thread
    conversation peer agent chat channel sessionkey pub dict json map natural
    surrogate translation
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""What stands before the key of a table, a cache or a dictionary."""

ENDINGS_OF_ORDINARY_NAMES = frozenset(
    """
    count counts limit limits usage used type types url urls uri uris endpoint path
    file files filename filenames dir folder name names id ids length len size min
    max expiry expires expiration ttl age policy field fields label hint prompt
    format regex pattern version algorithm alg algo method mode provider scheme
    status state error errors required enabled disabled at reset rotation manager
    column index map board word words frame handler service server host user
    username email class module helper test tests store vault ref reference arn sha
    sha1 sha256 md5 fingerprint thumbprint checksum digest stdin input form page
    link button screen dialog strength score validator validation check changed
    created updated per rate cost price total sum avg mean window stream cache ring
    chain press down up stroke pad note point space pair factory generator source
    context scope scopes issuer audience subject kind header prefix suffix encoding
    bits iterations rounds budget estimate left remaining position positions
    embedding embeddings vocab per_second speed throughput expired invalid refreshed
    exists present seconds minutes days hours ms char chars env var settings config
    options placeholder title description message text help icon schema model
    metadata counter lifetime duration
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""What a name ends in that only speaks about a secret: ``token_count``."""

QUALIFIERS_AT_END = frozenset(
    """
    value val base64 b64 raw plain plaintext prod production dev staging live old
    new current default main local primary secondary data v1 v2 v3 v4
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""What follows the name of a secret without changing its meaning: ``_PROD``."""
