/** The settings of a site with every default filled in. What reads a setting reads it here, never in raw docs.json. */
import type { WidgetSet } from '../contract/widgets.ts'
import type { Icon, IconLibrary } from './icon.ts'

export interface ThemedImage {
  light: string
  dark: string
}

export interface SiteConfig {
  name: string
  description: string | null
  theme: 'mint' | 'maple' | 'palm' | 'willow' | 'linden' | 'almond' | 'aspen' | 'sequoia' | 'luma'
  colors: { primary: string; light: string; dark: string }
  logo: (ThemedImage & { href: string | null }) | null
  favicon: ThemedImage | null
  appearance: { default: 'system' | 'light' | 'dark'; strict: boolean }
  icons: { library: IconLibrary }
  fonts: { heading: FontSetting | null; body: FontSetting | null }
  background: {
    decoration: 'gradient' | 'grid' | 'windows' | null
    color: { light: string | null; dark: string | null }
    image: ThemedImage | null
  }
  styling: {
    eyebrows: 'section' | 'breadcrumbs'
    latex: boolean | null
    /** Shiki theme names. */
    codeblocks: { light: string; dark: string }
  }
  navbar: {
    links: readonly NavbarLink[]
    primary: NavbarLink | null
  }
  footer: {
    socials: readonly { name: string; href: string }[]
    links: readonly { header: string | null; items: readonly { label: string; href: string }[] }[]
  }
  banner: {
    content: string
    isDismissible: boolean
    type: 'info' | 'warning' | 'critical'
    color: { light: string; dark: string } | null
  } | null
  interaction: { drilldown: boolean | null }
  contextual: { options: readonly (string | ContextualOption)[]; display: 'header' | 'toc' } | null
  /** The widgets that the site says something about. */
  feedback: Partial<WidgetSet>
  errors: { notFound: { redirect: boolean; title: string | null; description: string | null } }
  variables: Readonly<Record<string, string>>
  metadata: { timestamp: boolean }
  search: { prompt: string | null }
  seo: {
    indexing: 'navigable' | 'all'
    metatags: Readonly<Record<string, string>>
    /** Tags of folders, the deepest folder first; paths begin with a slash and end without one. */
    paths: readonly { path: string; metatags: Readonly<Record<string, string>> }[]
    organization: {
      id: string | null
      name: string | null
      legalName: string | null
      url: string | null
      logo: string | null
      sameAs: readonly string[]
    }
    trailingSlash: boolean
  }
  /** What agents read of pages: whether a page of an operation names its description, and what they are asked. */
  markdown: { schema: boolean; instructions: string | null }
  /** For social tags of pages without an image of their own. */
  thumbnails: { appearance: 'light' | 'dark' | null; background: string | null }
  /** Services by name with their settings, as they are written. */
  integrations: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>
  api: {
    playground: 'interactive' | 'simple' | 'none' | 'auth'
    /** Whether calls may go through the platform where the API lets no page make them, and direct ones take cookies along. */
    proxy: boolean
    credentials: boolean
    /** Nested fields are open when a page opens. */
    isExpanded: boolean
    /** Keys of schemas whose values stand behind the name of a field. */
    pills: readonly string[]
    /** The address of the server always stands before the path. */
    hasFullUrl: boolean
    examples: {
      /** As written: a name or an alias, in the order in which samples are shown. */
      languages: readonly string[]
      isRequiredOnly: boolean
      isPrefilled: boolean
      isGenerated: boolean
    }
    /** Servers of pages that name only a path. */
    baseUrls: readonly string[]
    authMethod: string | null
    authName: string | null
  }
  /** Per-language replacements of chrome, by language code. */
  languages: Readonly<Record<string, Partial<Pick<SiteConfig, 'banner' | 'footer' | 'navbar'>>>>
}

export interface FontSetting {
  family: string
  weight: number | null
  /** URL, or path below the docs folder. */
  source: string | null
  format: 'woff' | 'woff2' | null
}

export interface NavbarLink {
  type: 'link' | 'button' | 'github' | 'discord'
  label: string | null
  href: string
  icon: Icon | null
}

export interface ContextualOption {
  title: string
  description: string | null
  icon: Icon | null
  href: string
}
