/** Dialogs of the app shell that can open over any page. */
export { Palette } from './palette.tsx'
export { ShortcutSheet } from './shortcut-sheet.tsx'
