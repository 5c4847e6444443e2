/** UI strings of the playground in the language of the page. */
import type { PLAYGROUND_TEXTS_GLOBAL } from '../../../src/openapi/playground-data.ts'

export type Words = Readonly<Record<string, string>>

/** Returns a text from the language script; a missing text falls back to its name. */
export function uiText(name: string, values: Readonly<Record<string, string>> = {}): string {
  const words = (globalThis as { [PLAYGROUND_TEXTS_GLOBAL]?: Words }).__octavoPlaygroundWords
  return (words?.[name] ?? name).replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)
}
