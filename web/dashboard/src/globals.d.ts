declare module 'virtual:icons' {
  /** `[tag, attributes]` of each stroke. */
  export const ICONS: Record<string, [string, Record<string, string>][]>
}

declare module '*.css'
