"""Things of which one holds at a time: two of a kind are two values of one slot."""

from __future__ import annotations

# A slash joins names of one thing. What is known in English alone stands here alone.
KINDS = {
    "package manager": "npm pnpm yarn bun/bunx pip uv poetry conda pipenv",
    "build tool": "webpack vite/vitejs esbuild rollup parcel turbopack make gradle"
    " maven bazel cmake",
    "database": "postgresql/postgres/psql/pg mysql sqlite/sqlite3 mongodb/mongo mariadb"
    " duckdb clickhouse cockroachdb dynamodb oracle supabase firebase",
    "frontend framework": "react/reactjs/react.js vue/vuejs/vue.js svelte/sveltekit"
    " angular solidjs"
    " next.js/nextjs nuxt htmx astro remix preact jquery",
    "backend framework": "express/express.js fastify koa nestjs django flask fastapi"
    " rails laravel spring gin hono",
    "language": "python ruby golang rust java kotlin typescript/ts javascript/js php scala"
    " elixir haskell swift perl c++ c# dart lua julia matlab",
    "cloud": "aws gcp azure hetzner vercel netlify cloudflare fly.io heroku digitalocean"
    " linode railway aliyun/阿里云 tencentcloud/腾讯云 huaweicloud/华为云",
    "editor": "vim neovim/nvim vscode/vs-code emacs zed cursor sublime intellij pycharm"
    " webstorm helix nano",
    "chat": "slack teams discord telegram whatsapp signal wechat dingtalk feishu"
    " mattermost zulip",
    "video call": "zoom meet.google jitsi webex tencent-meeting/腾讯会议",
    "tracker": "jira linear github gitlab trello asana youtrack gitea bitbucket shortcut",
    "notes": "notion obsidian evernote onenote roam logseq confluence yuque/语雀",
    "ci": "jenkins circleci github-actions travis buildkite drone",
    "system": "macos linux ubuntu debian fedora nixos arch android ios",
    "test runner": "jest vitest mocha pytest unittest cypress playwright selenium",
    "queue": "kafka rabbitmq nats sqs celery redis-streams bullmq",
    "cache": "redis memcached valkey dragonfly",
    "orm": "prisma drizzle sqlalchemy typeorm sequelize mybatis hibernate",
    "linter": "eslint biome prettier black ruff flake8 pylint oxlint",
    "css": "tailwind bootstrap sass bulma",
    "orchestration": "kubernetes/k8s nomad swarm docker-compose ecs",
    "container": "docker podman",
    "browser": "chrome firefox safari edge brave arc",
    "search engine": "elasticsearch opensearch meilisearch typesense solr",
    "proxy": "nginx caddy traefik haproxy apache envoy",
    "shell": "bash zsh fish powershell nushell",
    "model": "claude gpt gemini llama qwen deepseek mistral",
    "password manager": "1password bitwarden keepass keepassxc lastpass dashlane",
    "analytics": "matomo plausible umami posthog mixpanel",
    "payment": "stripe paypal adyen mollie alipay",
    "bank": "n26 revolut monzo ing",
    "design tool": "figma sketch penpot canva",
    "document": "latex markdown typst word asciidoc",
    "data format": "json yaml toml xml csv parquet protobuf pdf docx xlsx",
    "api style": "rest graphql grpc trpc soap",
    "dataframe": "pandas polars dask",
    "learning": "pytorch tensorflow jax keras scikit-learn",
    "image format": "svg png jpg/jpeg webp gif tiff eps",
    "file transfer": "dropbox wetransfer google-drive onedrive nextcloud baidu-pan/百度网盘"
    " 坚果云 icloud",
    "survey": "surveymonkey typeform google-forms 问卷星 金数据 腾讯问卷",
    "bookkeeping": "freeagent quickfile xero quickbooks sage datev lexoffice freshbooks",
    "shared document": "google-docs shimo/石墨/石墨文档 腾讯文档",
    "storage": "s3 backblaze minio gcs",
    "indentation": "tab space",
    "quotation": "single double",
    "case": "camelcase/camel snake_case/snake kebab-case/kebab pascalcase/pascal",
    "theme": "dark light",
    "length": "short long",
    "tone": "formal informal",
    "merging": "merge rebase squash",
    "unit system": "metric imperial",
    "degrees": "celsius fahrenheit",
    "seat": "aisle window",
    "hot drink": "tea coffee",
    "diet": "vegetarian vegan pescatarian omnivore",
    "transport": "train plane car bus bicycle metro",
    "human language": "english chinese german french spanish italian japanese korean"
    " russian portuguese cantonese",
    "script": "simplified traditional",
    "spelling": "british-english american-english",
    "city": "beijing shanghai shenzhen guangzhou hangzhou chengdu nanjing wuhan suzhou"
    " xiamen hong-kong taipei singapore tokyo berlin munich hamburg frankfurt london"
    " paris dublin amsterdam vienna zurich lisbon madrid barcelona rome new-york"
    " san-francisco seattle sydney toronto",
    "weekday": "monday tuesday wednesday thursday friday saturday sunday weekend",
    "time of day": "morning noon afternoon evening night midnight",
    "frequency": "daily weekly fortnightly monthly quarterly yearly hourly",
    "colour": "red blue green yellow black white grey orange purple pink",
    "switch": "enable disable",
    "side": "left right-hand",
    "means": "email phone chat",
    "hour": "early late",
    "currency": "eur/euro/euros/欧元 usd/dollar/dollars/美元 gbp/pounds/英镑"
    " cny/rmb/yuan/人民币 jpy/yen/日元",
}
# Who is meant, if one of these stands beside a name, is somebody else.
RELATIVES = """
    wife husband girlfriend boyfriend son daughter child baby mother father parents brother
    sister grandmother grandfather family friend neighbour boss assistant colleague team
    doctor dentist teacher landlord
"""
# Beside these words a name fills a slot: one at a time lives there, owns or leads it.
ROLES = """
    live address wife husband girlfriend boyfriend landlord
    boss own lead director assistant accountant lawyer designer landlord doctor dentist
    teacher professor coach vet reviewer product-manager hairdresser plumber
"""
