/** UI strings of components in a page, and of buttons that scripts add. */
import { COMPONENT_TEXTS } from './english.ts'

export type ComponentTextKey = keyof typeof COMPONENT_TEXTS
export type ComponentTexts = Readonly<Record<ComponentTextKey, string>>

export function fillText(text: string, value: string | number): string {
  return text.replace(/\{\w+\}/, () => String(value))
}

export function pickComponentTexts(words: ComponentTexts): ComponentTexts {
  return Object.fromEntries(listTextKeys().map((word) => [word, words[word]])) as ComponentTexts
}

const SCRIPT_TEXT_KEYS: readonly ComponentTextKey[] = [
  'image',
  'diagram',
  'zoomIn',
  'zoomOut',
  'resetView',
  'fullScreen',
  'download',
  'copyImage',
]

/** Returns as JSON the texts that differ from the English texts in the scripts; null if there are none. */
export function serializeScriptTexts(words: ComponentTexts, hasIslands: boolean): string | null {
  const neededKeys = hasIslands ? listTextKeys() : SCRIPT_TEXT_KEYS
  const other = neededKeys.filter((word) => words[word] !== COMPONENT_TEXTS[word])
  return other.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(other.map((word) => [word, words[word]])))
}

function listTextKeys(): ComponentTextKey[] {
  return Object.keys(COMPONENT_TEXTS) as ComponentTextKey[]
}
