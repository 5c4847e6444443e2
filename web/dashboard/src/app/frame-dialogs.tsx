/** What opens over any page when it is asked for. */
export { Palette } from './palette.tsx'
export { ShortcutSheet } from './shortcut-sheet.tsx'
