/** Files of the assistant: its script, its style sheet, and its texts by language. */
import { ASSISTANT_TEXTS_GLOBAL } from '../../base/api/widgets.ts'
import type { Site } from '../../site/model.ts'
import { type BuiltInFile, type BuiltIns, hashed } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'
import { ASSISTANT_TEXTS } from '../words/languages/en.ts'
import { uiText } from '../words/ui-text.ts'

/** The assistant requires a platform on which the site is registered. */
export function hasAssistant({ deployment, features, siteId }: RenderInput): boolean {
  return features.assistant && deployment !== 'air-gapped' && siteId !== null
}

export function assistantFiles(
  { assistantScript, assistantStyle }: BuiltIns,
  input: RenderInput,
): BuiltInFile[] {
  if (!hasAssistant(input)) return []
  return [assistantScript, assistantStyle, ...Object.values(createAssistantTextFiles(input.site))]
}

export function createAssistantTextFiles(site: Site): Record<string, BuiltInFile<string>> {
  const languages = new Set([...site.pages.values()].map(({ language }) => language))
  const names = [
    ...(Object.keys(ASSISTANT_TEXTS) as (keyof typeof ASSISTANT_TEXTS)[]),
    'clear',
    'close',
  ] as const
  return Object.fromEntries(
    [...languages].map((language) => {
      const text = uiText(language)
      const words = JSON.stringify(Object.fromEntries(names.map((name) => [name, text[name]])))
      return [language, hashed('ask-words', 'js', `globalThis.${ASSISTANT_TEXTS_GLOBAL}=${words}\n`)]
    }),
  )
}
