/** Translations of the chrome, by the first part of a language tag. */
import type { ENGLISH } from './ui-text.ts'

export const TRANSLATIONS: Record<string, Partial<Record<keyof typeof ENGLISH, string>>> = {}
