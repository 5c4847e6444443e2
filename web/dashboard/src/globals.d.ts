declare module 'virtual:icons' {
  /** `[tag, attributes]` of each SVG element. */
  export const ICONS: Record<string, [string, Record<string, string>][]>
}

declare module '*.css'

declare module '*?worker&url' {
  const address: string

  // biome-ignore lint/style/noDefaultExport: Vite exports the address like this.
  export default address
}

declare var trustedTypes: { createPolicy<Rules>(name: string, rules: Rules): Rules } | undefined

/** Tags of the languages with a translation file. */
declare var octavoLanguages: readonly string[] | undefined

/** Translations, requested before the app has loaded; undefined for English. */
declare var octavoWords: Promise<Readonly<Record<string, string>>> | undefined
