/**
 * Formats messages in a subset of ICU MessageFormat: `{name}`, `{count, plural, one {# page} other {# pages}}` and
 * `{kind, select, query {parameter} other {field}}`. Plural categories are those of `Intl.PluralRules`.
 */

export type MessageValues = Readonly<Record<string, string | number | undefined>>

export interface MessageFormat {
  language: string
  number?: (value: number) => string
}

const ENGLISH: MessageFormat = { language: 'en' }
const CHOICE = /\{(\w+), (plural|select), /

export function formatMessage(template: string, values: MessageValues, format = ENGLISH): string {
  return chooseForms(template, values, format).replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = values[name]
    return value === undefined ? mark : formatValue(value, format)
  })
}

/** Replaces each choice with the form that applies. Leaves `{name}` unchanged, for values that are not text. */
export function chooseForms(template: string, values: MessageValues, format = ENGLISH): string {
  const choice = CHOICE.exec(template)
  if (choice === null) return template
  const [start, name = '', kind] = choice
  const { forms, end } = readForms(template, choice.index + start.length)
  const value = values[name] ?? ''
  const key = kind === 'plural' ? pluralRules(format.language).select(Number(value)) : String(value)
  const form = forms.get(key) ?? forms.get('other') ?? ''
  const chosen = kind === 'plural' ? form.replaceAll('#', () => formatValue(value, format)) : form
  return template.slice(0, choice.index) + chosen + chooseForms(template.slice(end), values, format)
}

/** Reads `one {…} other {…}}`. A form contains placeholders but no further choices. */
function readForms(template: string, start: number): { forms: Map<string, string>; end: number } {
  const forms = new Map<string, string>()
  const form = /\s*(\w+) \{((?:[^{}]|\{\w+\})*)\}/y
  form.lastIndex = start
  let end = start
  for (let match = form.exec(template); match !== null; match = form.exec(template)) {
    forms.set(match[1] ?? '', match[2] ?? '')
    end = form.lastIndex
  }
  return { forms, end: end + 1 }
}

function formatValue(value: string | number, { number = String }: MessageFormat): string {
  return typeof value === 'number' ? number(value) : value
}

const rulesByLanguage = new Map<string, Intl.PluralRules>()

function pluralRules(language: string): Intl.PluralRules {
  const rules = rulesByLanguage.get(language) ?? new Intl.PluralRules(language)
  rulesByLanguage.set(language, rules)
  return rules
}
