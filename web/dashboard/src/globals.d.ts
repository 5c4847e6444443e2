declare module 'virtual:icons' {
  /** `[tag, attributes]` of each stroke. */
  export const ICONS: Record<string, [string, Record<string, string>][]>
}

declare module '*.css'

/** Tags of the languages that have a file of words. */
declare var octavoLanguages: readonly string[] | undefined

/** The words of the language, asked for before the app is there; nothing where that is English. */
declare var octavoWords: Promise<Readonly<Record<string, import('./words/words.ts').Translation>>> | undefined
