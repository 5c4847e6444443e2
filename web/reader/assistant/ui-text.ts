/** UI strings of the assistant in the language of the page. */
import type { ASSISTANT_TEXTS_GLOBAL } from '../../../src/base/api/widgets.ts'

/** Returns a text from the language script; a missing text falls back to its name. */
export function uiText(name: string): string {
  const words = (globalThis as { [ASSISTANT_TEXTS_GLOBAL]?: Readonly<Record<string, string>> })
    .__octavoAssistantWords
  return words?.[name] ?? name
}
