/** Generates parts of the documentation from the program, as text by path below docs/. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { OPTIONS } from '../../src/app/config/config-options.ts'
import type { Option } from '../../src/app/config/option.ts'
import { BUILT_FEATURES, type BuiltFeature, FEATURE_MATRIX } from '../../src/base/api/features.ts'
import { RETENTION, RETENTION_KINDS } from '../../src/base/api/retention.ts'
import { ERRORS, JOB_ERRORS } from '../../src/base/errors/catalogue.ts'
import { EXAMPLE_PARAMS } from '../../src/base/errors/errors.ts'
import { formatMessage } from '../../src/base/text/format-message.ts'
import type { ToolBackend } from '../../src/features/agent/loop/tool.ts'
import { TOOLS } from '../../src/features/agent/loop/toolbox.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { describeApi } from '../../src/http/description/openapi.ts'
import { FRONTMATTER_FIELDS } from '../../src/site/pages/frontmatter-fields.ts'
import { processes, readBounds, siteBounds } from './bounds.ts'
import { commandsPage } from './commands.ts'
import { inCell, page, table } from './markdown.ts'
import { componentCards, groupOf } from './navigation.ts'
import { settingTables } from './settings.ts'

const PUBLIC_URL = 'https://octavo.example.com'
const ROOT = join(import.meta.dirname, '..', '..')

export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['reference/openapi.json', apiDescription()],
    ['snippets/reference/errors.mdx', errorTable()],
    ['snippets/reference/job-errors.mdx', jobErrorTable()],
    ['snippets/reference/features.mdx', featureTable()],
    ['snippets/reference/agent-tools.mdx', toolTable()],
    ['snippets/reference/site-bounds.mdx', siteBounds()],
    ['snippets/reference/read-bounds.mdx', readBounds()],
    ['snippets/reference/processes.mdx', processes()],
    ['snippets/reference/retention.mdx', retentionTable()],
    ['snippets/reference/site-settings.mdx', settingTables()],
    ['snippets/reference/frontmatter.mdx', frontmatterTable()],
    ['snippets/reference/components.mdx', componentCards()],
    ['reference/component-pages.json', groupOf('Components', 'content/components')],
    ['reference/decision-pages.json', groupOf('Decisions', 'adr')],
    ['snippets/reference/dashboard-languages.mdx', languagesWith('dashboard.json')],
    ['snippets/reference/page-languages.mdx', languagesWith('site.json')],
    ...SHOWN_FILES.map(shownFile),
    ['reference/configuration.mdx', configurationPage()],
    ['reference/commands.mdx', await commandsPage()],
  ])
}

const SHOWN_FILES = [
  ['Caddyfile', 'text'],
  ['compose.example.env', 'ini'],
  ['compose.yaml', 'yaml'],
  ['nginx.conf', 'nginx'],
  ['prometheus/octavo.rules.yaml', 'yaml'],
  ['systemd/octavo.service', 'ini'],
] as const

function shownFile([path, language]: (typeof SHOWN_FILES)[number]): [path: string, text: string] {
  const text = readFileSync(join(ROOT, 'deploy', path), 'utf8')
  const name = basename(path).toLowerCase().replaceAll('.', '-')
  return [`snippets/reference/deploy/${name}.mdx`, `\`\`\`${language} deploy/${path}\n${text}\`\`\`\n`]
}

function apiDescription(): string {
  return `${JSON.stringify(describeApi(OPERATIONS, { publicUrl: PUBLIC_URL, part: null }), null, 1)}\n`
}

function errorTable(): string {
  const rows = Object.entries(ERRORS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, message, remedy }]) => [
      String(status),
      `\`${code}\``,
      inCell(formatMessage(message, EXAMPLE_PARAMS)),
      inCell(remedy),
    ])
  return table(['Status', 'Code', 'What happened', 'What to do'], rows)
}

function jobErrorTable(): string {
  const rows = Object.entries(JOB_ERRORS).map(([code, { message, remedy }]) => [
    `\`${code}\``,
    inCell(message),
    inCell(remedy),
  ])
  return table(['Code', 'What happened', 'What to do'], rows)
}

const FEATURE_NAMES: Record<BuiltFeature, string> = {
  search: 'Documentation search',
  assistant: 'AI assistant',
  analytics: 'Web analytics',
  playground: 'API playground',
  export: 'Static export bundle',
}

function featureTable(): string {
  const rows = BUILT_FEATURES.map((feature) => {
    const { cloud, 'client-hosted': own, 'air-gapped': closed } = FEATURE_MATRIX[feature]
    return [FEATURE_NAMES[feature], `\`${feature}\``, cloud, own, closed]
  })
  return table(['Feature', 'In requests', 'Cloud', 'Client-hosted', 'Air-gapped'], rows)
}

const DESKS: Record<ToolBackend, string> = {
  code: '[code repositories](/guides/agent-jobs#code-beside-the-docs)',
  pages: '[other sites](/guides/agent-jobs#other-sites)',
  pictures: '[pictures](/guides/agent-jobs#pictures)',
  person: '[questions](/guides/agent-jobs#questions-from-the-agent)',
}

function toolTable(): string {
  const rows = TOOLS.map(({ name, description, backend: desk }) => [
    `\`${name}\``,
    inCell(description),
    desk === undefined ? '' : DESKS[desk],
  ])
  return table(['Tool', 'Description for the model', 'Only for'], rows)
}

function frontmatterTable(): string {
  const rows = Object.entries(FRONTMATTER_FIELDS).map(([field, [form, meaning]]) => [
    `\`${field}\``,
    form,
    meaning,
  ])
  return table(['Field', 'Form', 'Meaning'], rows)
}

function retentionTable(): string {
  const rows = RETENTION_KINDS.map((kind) => {
    const { days, isByOrganization, what } = RETENTION[kind]
    return [`\`${kind}\``, `${days} days`, isByOrganization ? 'yes' : 'no', inCell(what)]
  })
  return table(['Kind', 'Kept for', 'Can be changed by each organization', 'What is deleted'], rows)
}

/** Lists English and every language that has a translation of this file. */
function languagesWith(file: string): string {
  const tags = globSync(`*/${file}`, { cwd: join(ROOT, 'locales') }).map(dirname)
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return `${[...new Set(['en', ...tags.sort()])].map((tag) => names.of(tag)).join(', ')}.\n`
}

function configurationPage(): string {
  const rows = Object.values(OPTIONS as Record<string, Option>).map((option) => [
    [`\`${option.env}\``, option.flag ? `\`--${option.flag}\`` : '', option.isSecret ? 'secret' : '']
      .filter((part) => part !== '')
      .join('<br />'),
    option.default ? `\`${option.default}\`` : '',
    inCell(option.help),
  ])
  return page(
    {
      title: 'Settings of a node',
      description: 'Every environment variable and flag, with its default.',
      icon: 'sliders-horizontal',
    },
    `Every setting is optional. Flags of \`octavo start\` take precedence over environment variables. Secrets are never printed, only whether they are set.

${table(['Variable and flag', 'Default', 'Meaning'], rows)}`,
  )
}
