/** Validates pages against the rules of HTML: permitted content, unique ids, matching names and roles. */
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { type ConfigData, HtmlValidate } from 'html-validate'

const RULES: ConfigData = {
  extends: ['html-validate:recommended'],
  rules: {
    // Markup style, which has no effect on readers.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-implicit-input-type': 'off',
    'no-inline-style': 'off',
    'no-raw-characters': 'off',
    'no-trailing-whitespace': 'off',
    'tel-non-breaking': 'off',
    'void-style': 'off',
    // Chosen by authors.
    'long-title': 'off',
    // Ids are derived from headings, in any script.
    'valid-id': ['error', { relaxed: true }],
    // Steps may have other content between them, and some screen readers ignore lists without markers.
    'prefer-native-element': ['error', { exclude: ['list', 'listitem'] }],
  },
}

/** Returns one line per fault: file, rule, message and the markup around it. */
export async function htmlFaults(folder: string, files: readonly string[]): Promise<string[]> {
  const validator = new HtmlValidate(RULES)
  const faults: string[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    const { results } = await validator.validateString(text, file)
    for (const { offset, ruleId, message } of results.flatMap(({ messages }) => messages)) {
      const place = text.slice(Math.max(0, offset - 60), offset + 60).replace(/\s+/g, ' ')
      faults.push(`${relative(folder, file)} ${ruleId}: ${message} … ${place}`)
    }
  }
  return faults
}
