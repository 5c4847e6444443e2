/** A tool call: a one-line summary that expands to the input and the result. */

import type { ToolName } from '../../../../../src/features/agent/operations/agent-tools.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'
import type { EventData } from './job-events.ts'

const TOOLS: Record<ToolName, { icon: IconName; word: string }> = {
  read_file: { icon: 'file-text', word: t('Read', { context: 'step' }) },
  read_guide: { icon: 'book-open', word: t('Read its instructions') },
  list_files: { icon: 'folder', word: t('Listed files') },
  search: { icon: 'search', word: t('Searched', { context: 'step' }) },
  read_api: { icon: 'file-text', word: t('Read an API description') },
  list_code: { icon: 'folder', word: t('Listed code') },
  search_code: { icon: 'search', word: t('Searched code') },
  read_code: { icon: 'file-text', word: t('Read code') },
  outline_code: { icon: 'list', word: t('Outlined code') },
  fetch_page: { icon: 'globe', word: t('Read a page of another site') },
  place_picture: { icon: 'image', word: t('Added an image') },
  diff_code: { icon: 'file-text', word: t('Compared code') },
  edit_file: { icon: 'pencil', word: t('Edited', { context: 'step' }) },
  write_file: { icon: 'pencil', word: t('Wrote', { context: 'step' }) },
  delete_file: { icon: 'trash-2', word: t('Deleted', { context: 'step' }) },
  move_file: { icon: 'arrow-right', word: t('Moved', { context: 'step' }) },
  update_navigation: { icon: 'list', word: t('Changed the navigation') },
  plan: { icon: 'list-checks', word: t('Planned', { context: 'step' }) },
  preview: { icon: 'eye', word: t('Looked at the rendered page') },
  check: { icon: 'shield-check', word: t('Checked the site') },
  ask_person: { icon: 'circle-help', word: t('Asked', { context: 'step' }) },
  finish: { icon: 'circle-check', word: t('Finished', { context: 'step' }) },
}
/** Icon of tools that this version does not have, but others may have used. */
const UNKNOWN_TOOL = { icon: 'wrench' } as const

const JSON_TEXT = /"((?:[^"\\]|\\.)*)"/.source
const MAIN_ARGUMENT = new RegExp(`"(?:path|from|query|glob|page|title)":${JSON_TEXT}`)

/** Extracts the main argument, such as the file or the search words, from the shortened JSON of a call. */
function extractMainArgument(input: string): string {
  const part = MAIN_ARGUMENT.exec(input)?.[1]
  if (part !== undefined) return part.replace(/\\(["\\/])/g, '$1')
  return /^\{["\w}]/.test(input) ? '' : input
}

const FIELD_LABELS: Record<string, string> = {
  path: t('File'),
  from: t('From', { context: 'file' }),
  to: t('To', { context: 'file' }),
  query: t('Search terms', { context: 'searched' }),
  glob: t('Files'),
  oldText: t('Before'),
  newText: t('After'),
  text: t('Text'),
  offset: t('From line'),
  limit: t('Lines', { context: 'step' }),
  operation: t('Operation'),
  page: t('Page'),
  within: t('In', { context: 'navigation' }),
  title: t('Title'),
  summary: t('Summary'),
  reasons: t('Reasons'),
}

/** Shows the input field by field, or as stored text if it was cut off. */
function ToolInput({ input }: { input: string }) {
  const fields = parseFields(input)
  if (fields === null)
    return (
      <pre class={TEXT_BOX} dir="auto">
        <PlainText text={input} />
      </pre>
    )
  if (fields.length === 0) return <p class="text-soft">{t('Nothing in particular')}</p>
  return (
    <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {fields.map(([name, value]) => (
        <div key={name} class="contents">
          <dt class="text-soft">{Object.hasOwn(FIELD_LABELS, name) ? FIELD_LABELS[name] : name}</dt>
          <dd>
            <pre class={TEXT_BOX} dir="auto">
              <PlainText text={value} />
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const TEXT_BOX = 'max-h-80 overflow-auto font-mono text-12 leading-5 break-words whitespace-pre-wrap'

function parseFields(input: string): [string, string][] | null {
  try {
    const parsedInput: unknown = JSON.parse(input)
    if (typeof parsedInput !== 'object' || parsedInput === null || Array.isArray(parsedInput)) return null
    return Object.entries(parsedInput).map(([name, value]) => [name, formatValue(value)])
  } catch {
    return null
  }
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.map((one) => (isReason(one) ? `${one.path}: ${one.reason}` : formatValue(one))).join('\n')
}

function isReason(value: unknown): value is { path: string; reason: string } {
  return typeof value === 'object' && value !== null && 'path' in value && 'reason' in value
}

export function Tool({ data: { name, input, result, isError } }: { data: EventData<'tool'> }) {
  const { icon, word } = Object.hasOwn(TOOLS, name)
    ? TOOLS[name as ToolName]
    : { ...UNKNOWN_TOOL, word: name }
  return (
    <li>
      <details class="group rounded-sm open:bg-sunken">
        <summary class="flex list-none items-center gap-2 rounded-sm py-1 text-13 text-soft hover:text-text coarse:min-h-(--control) [&::-webkit-details-marker]:hidden">
          <span class="flex size-4 shrink-0 items-center justify-center">
            <Icon
              name={isError ? 'circle-alert' : icon}
              size={14}
              class={isError ? 'text-danger' : 'text-faint'}
            />
          </span>
          <span class="shrink-0 font-medium">{word}</span>
          <span class={classes('min-w-0 truncate', name !== 'finish' && 'font-mono text-12')} dir="auto">
            <PlainText text={extractMainArgument(input)} />
          </span>
          {isError && <span class="shrink-0 text-12 text-danger">{t('refused')}</span>}
          <Icon
            name="chevron-right"
            size={14}
            class="text-faint opacity-0 transition group-open:rotate-90 group-open:opacity-100 group-hover:opacity-100 group-focus-within:opacity-100 coarse:ml-auto coarse:opacity-100"
          />
        </summary>
        <div class="space-y-2 px-6 pt-1 pb-3 text-13">
          <div>
            <p class="text-12 text-faint">{t('Asked', { context: 'step' })}</p>
            <ToolInput input={input} />
          </div>
          <div>
            <p class="text-12 text-faint">{isError ? t('Refused') : t('Result')}</p>
            <pre class="max-h-80 overflow-auto font-mono text-12 break-words whitespace-pre-wrap" dir="auto">
              <PlainText text={result === '' ? t('(nothing)') : result} />
            </pre>
          </div>
        </div>
      </details>
    </li>
  )
}
