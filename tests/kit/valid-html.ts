/** Pages held against the rules of HTML: what may stand in what, ids that are there once, names and roles that agree. */
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { type ConfigData, HtmlValidate } from 'html-validate'

const RULES: ConfigData = {
  extends: ['html-validate:recommended'],
  rules: {
    // How markup is written, which no reader meets.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-implicit-input-type': 'off',
    'no-inline-style': 'off',
    'no-raw-characters': 'off',
    'no-trailing-whitespace': 'off',
    'tel-non-breaking': 'off',
    'void-style': 'off',
    // What authors choose.
    'long-title': 'off',
    // Ids are the words of headings, in any script.
    'valid-id': ['error', { relaxed: true }],
    // Authors may put other things between steps, and a list without markers is none for some screen readers.
    'prefer-native-element': ['error', { exclude: ['list', 'listitem'] }],
  },
}

/** One line a fault: file, rule, message and the markup there. */
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
