/** The words of the assistant, in the language of the page. */
import type { ASSISTANT_WORDS_GLOBAL } from '../../../src/base/api/widgets.ts'

/** As the script of the language hands them over; a word that is not there names itself. */
export function word(name: string): string {
  const words = (globalThis as { [ASSISTANT_WORDS_GLOBAL]?: Readonly<Record<string, string>> })
    .__octavoAssistantWords
  return words?.[name] ?? name
}
