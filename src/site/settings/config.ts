/** Settings of a site with all defaults. Code must read settings from here and never from raw docs.json. */
import type { WidgetSet } from '../../base/api/widgets.ts'
import type { Settings } from './settings-schema.ts'

/** Settings that are parsed elsewhere or stored in a different form. */
type Elsewhere = '$schema' | 'navigation' | 'redirects' | 'public' | 'feedback' | 'errors'

export interface SiteConfig extends Omit<Settings, Elsewhere> {
  feedback: Partial<WidgetSet>
  errors: { notFound: Settings['errors']['404'] }
  languages: Readonly<Record<string, Partial<Pick<Settings, 'banner' | 'footer' | 'navbar'>>>>
}

export type ThemedImage = NonNullable<Settings['favicon']>
export type FontSetting = NonNullable<Settings['fonts']['body']>
export type NavbarLink = Settings['navbar']['links'][number]
export type ContextualOption = Exclude<NonNullable<Settings['contextual']>['options'][number], string>
