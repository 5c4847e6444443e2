/** Texts of the assistant in the language of the page. */
import type { ASSISTANT_WORDS_GLOBAL } from '../../../src/base/api/widgets.ts'

/** Returns a text from the language script; a missing text falls back to its name. */
export function word(name: string): string {
  const words = (globalThis as { [ASSISTANT_WORDS_GLOBAL]?: Readonly<Record<string, string>> })
    .__octavoAssistantWords
  return words?.[name] ?? name
}
