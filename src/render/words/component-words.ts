/** The words that components say in the text of a page, and on buttons that its scripts add. */
import { COMPONENT_WORDS } from './languages/en.ts'

export type ComponentWord = keyof typeof COMPONENT_WORDS
export type ComponentWords = Readonly<Record<ComponentWord, string>>

/** Puts a number or a name in its place: `Tab {count}` and 2 to `Tab 2`. */
export function filled(text: string, value: string | number): string {
  return text.replace(/\{\w+\}/, () => String(value))
}

/** The component's part of the words of a language. */
export function componentWords(words: ComponentWords): ComponentWords {
  return Object.fromEntries(allWords().map((word) => [word, words[word]])) as ComponentWords
}

/** Buttons that a script adds need these. */
const SCRIPT_WORDS: readonly ComponentWord[] = [
  'image',
  'diagram',
  'zoomIn',
  'zoomOut',
  'resetView',
  'fullScreen',
  'download',
  'copyImage',
]

/** JSON of the words that scripts of a page cannot know by themselves; null for a page in English. */
export function wordsForScripts(words: ComponentWords, hasIslands: boolean): string | null {
  const wanted = hasIslands ? allWords() : SCRIPT_WORDS
  const other = wanted.filter((word) => words[word] !== COMPONENT_WORDS[word])
  return other.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(other.map((word) => [word, words[word]])))
}

function allWords(): ComponentWord[] {
  return Object.keys(COMPONENT_WORDS) as ComponentWord[]
}
