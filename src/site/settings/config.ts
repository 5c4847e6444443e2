/** The settings of a site with every default filled in. What reads a setting reads it here, never in raw docs.json. */
import type { WidgetSet } from '../../base/api/widgets.ts'
import type { Settings } from './settings-schema.ts'

/** Read where they are used, or kept in another form. */
type Elsewhere = '$schema' | 'navigation' | 'redirects' | 'public' | 'feedback' | 'errors'

export interface SiteConfig extends Omit<Settings, Elsewhere> {
  /** The widgets that the site says something about. */
  feedback: Partial<WidgetSet>
  errors: { notFound: Settings['errors']['404'] }
  /** Per-language replacements of chrome, by language code. */
  languages: Readonly<Record<string, Partial<Pick<Settings, 'banner' | 'footer' | 'navbar'>>>>
}

export type ThemedImage = NonNullable<Settings['favicon']>
export type FontSetting = NonNullable<Settings['fonts']['body']>
export type NavbarLink = Settings['navbar']['links'][number]
export type ContextualOption = Exclude<NonNullable<Settings['contextual']>['options'][number], string>
