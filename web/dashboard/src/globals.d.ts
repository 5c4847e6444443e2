declare module 'virtual:icons' {
  /** `[tag, attributes]` of each SVG element. */
  export const ICONS: Record<string, [string, Record<string, string>][]>
}

declare module '*.css'

/** Tags of the languages with a translation file. */
declare var octavoLanguages: readonly string[] | undefined

/** Translations, requested before the app has loaded; undefined for English. */
declare var octavoWords: Promise<Readonly<Record<string, import('./words/words.ts').Translation>>> | undefined
