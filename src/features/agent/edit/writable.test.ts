import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../../base/files/memory-tree.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { checkWritable } from './writable.ts'

/**
 * File names with a meaning for some tool, build system, host or other agent, which a repository may contain already.
 */
const OBEYED = `
cloudbuild.json cloudbuild.yaml _worker.js functions/_middleware.js functions/api.ts AGENT.md AGENTS.md agents.md CLAUDE.md
claude.md GEMINI.md QWEN.md WARP.md SKILL.md README.md CONVENTIONS.md docs/CLAUDE.md .cursorrules .windsurfrules .clinerules
netlify.toml vercel.json now.json firebase.json package.json sub/package.json package-lock.json pnpm-lock.yaml
pnpm-workspace.yaml yarn.lock deno.json deno.jsonc bun.lockb composer.json tsconfig.json tsconfig.build.json jsconfig.json
turbo.json nx.json lerna.json renovate.json angular.json manifest.json app.json wrangler.toml wrangler.json wrangler.jsonc
vite.config.ts vite.config.js snippets/vite.config.jsx next.config.mjs astro.config.mjs tailwind.config.js gulpfile.js
Gruntfile.js webpack.config.js rollup.config.js eslint.config.js .eslintrc.json prettier.config.mjs babel.config.json
.github/workflows/ci.yml workflows/ci.yml .gitlab-ci.yml templates/x.gitlab-ci.yml azure-pipelines.yml
bitbucket-pipelines.yml .circleci/config.yml circle.yml appveyor.yml .travis.yml .drone.yml buildkite/pipeline.yml
buildspec.yml amplify.yml render.yaml fly.toml app.yaml serverless.yml docker-compose.yml compose.yaml Dockerfile
Chart.yaml values.yaml action.yml Jenkinsfile Makefile Taskfile.yml lefthook.yml .pre-commit-config.yaml pubspec.yaml
requirements.txt requirements-dev.txt CMakeLists.txt constraints.txt pom.xml build.xml nuget.config mkdocs.yml _config.yml
_redirects _headers _routes.json staticwebapp.config.json index.html 404.html sw.js service-worker.js middleware.ts
middleware.js api/index.js netlify/functions/x.js edge-functions/x.ts cspell.json .env .npmrc .git/config .gitattributes
.gitmodules .husky/pre-commit copilot-instructions.md notes.instructions.md do.prompt.md x.chatmode.md rules.md mcp.json
.mcp.json .vscode/tasks.json .devcontainer/devcontainer.json devcontainer.json .claude/settings.json node_modules/x.mdx
run.sh x.py x.php x.exe p.png table.csv data.graphql proto.proto style.scss x a
`
  .trim()
  .split(/\s+/)

const HOSTILE = [
  'package\u2024json',
  'Package.JSON',
  'PACKAGE.JSON',
  'DOCS.JSON',
  'package.json ',
  'package.json.',
  'package.json\u200b',
  'openapi.json/../package.json',
  'ｐackage.json',
  'AGENTS.ｍd',
  'AGENTS\u200d.md',
  'cl\u0430ude.md',
  'docs.json/x.js',
  `${'x/'.repeat(150)}package.json`,
  '',
]

/** A repository with all of them: their presence does not make them part of the site. */
const base = openMemoryTree({
  'docs.json': JSON.stringify({
    navigation: { $ref: './config/navigation.json' },
    api: {
      asyncapi: { source: 'specs/queue.yaml', directory: 'x' },
      openapi: ['openapi.yaml', '/specs/shop.json', 'https://example.com/x.json'],
    },
    redirects: [{ source: '/package.json', destination: '/x' }],
    name: 'tsconfig.json',
  }),
  'config/navigation.json': JSON.stringify({ groups: [{ $ref: 'more.json' }, { $ref: '../../up.json' }] }),
  'config/more.json': JSON.stringify({ asyncapi: 'events.yml', $ref: 'navigation.json' }),
  'specs/shop.json': '{}',
  'events.yml': 'a: b',
  'specs/queue.yaml': 'a: b',
  'guides/old.md': 'x',
  ...Object.fromEntries(OBEYED.filter((path) => !['x', 'a'].includes(path)).map((path) => [path, 'x'])),
})

for (const path of [
  'guides/x.mdx',
  'guides/agents.mdx',
  'guides/old.md',
  'docs.json',
  'config/navigation.json',
  'config/more.json',
  'specs/shop.json',
  'events.yml',
  'specs/queue.yaml',
  'openapi.yaml',
  'api/openapi.json',
  'style.css',
  'snippets/part.jsx',
  'snippets/deep/part.tsx',
  'images/logo.svg',
  'llms.txt',
  'caf\u00e9.mdx',
])
  test(`${path} may be written`, () => checkWritable({ base, scope: [] }, path))

test(`none of ${OBEYED.length} files that other tools obey is writable, whether it exists or not`, async () => {
  assert.ok(OBEYED.length >= 60)
  for (const tree of [base, openMemoryTree({ 'docs.json': '{}' })])
    for (const path of [...OBEYED, ...HOSTILE])
      await assert.rejects(checkWritable({ base: tree, scope: [] }, path), ToolRefusal, JSON.stringify(path))
})

test('a broken docs.json makes no further file writable', async () => {
  const before = openMemoryTree({ 'docs.json': '{ broken', 'tsconfig.json': '{}' })
  await assert.rejects(checkWritable({ base: before, scope: [] }, 'tsconfig.json'), ToolRefusal)
})

test('rejects writing through a symlink or in place of one', async () => {
  const tree = {
    ...base,
    links: new Set(['shared']),
    refused: [{ path: 'out.mdx', reason: 'symlink_outside' as const }],
  }
  for (const path of ['shared/a.mdx', 'shared/x.mdx', 'out.mdx', 'out.mdx/y.mdx'])
    await assert.rejects(checkWritable({ base: tree, scope: [] }, path), /link/)
  await checkWritable({ base: tree, scope: [] }, 'shared-not/x.mdx')
})
