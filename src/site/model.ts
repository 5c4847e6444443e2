/** The checked site: what `loadSite` makes of a folder of docs.json + MDX, and all that rendering reads of it. */
import type { Problem } from '../base/errors/problem.ts'
import type { Icon } from './icon.ts'
import type { FrontmatterFields } from './pages/frontmatter-fields.ts'
import type { ApiDocument } from './reference/spec-document.ts'
import type { SiteConfig } from './settings/config.ts'

export interface Site {
  config: SiteConfig
  /** Every page that gets an address, hidden ones too, by route. */
  pages: ReadonlyMap<string, SitePage>
  /** Sidebars and their surroundings, in the order of the navigation. */
  sidebars: readonly Sidebar[]
  /** Languages of the site, default first; one entry when the site has no languages. */
  languages: readonly { code: string; isDefault: boolean }[]
  /** Static files that are served at their own path: images, fonts, CSS, JS, specs. */
  assets: ReadonlySet<string>
  /** Files that pages import (or that lie below `snippets/`) and that are no pages themselves. */
  snippets: ReadonlySet<string>
  /** Imports of each page, snippet and component file that has any; circles are cut, so following them ends. */
  imports: ReadonlyMap<string, readonly PageImport[]>
  /** Author CSS and JS, loaded on every page, sorted by path. */
  styles: readonly string[]
  scripts: readonly string[]
  redirects: readonly Redirect[]
  /** For agents; of those that these readers get. */
  skills: readonly Skill[]
  /** For the assistant that answers readers; null for none. */
  assistantInstructions: string | null
  /** API descriptions that pages show something of, by `ApiOperation.spec`. */
  apis: ReadonlyMap<string, ApiDocument>
  /** Route shown at `/`: `/` when there is an index page, else the first page of the default navigation; null for a site without pages. */
  homeRoute: string | null
  /** Groups of readers that pages are for, sorted; empty: every page is for everybody. */
  groups: readonly string[]
  problems: Problem[]
}

export interface Skill {
  /** Lower-case letters, digits and hyphens. */
  name: string
  description: string
  /** Below the docs folder. */
  folder: string
  /** Name of its `SKILL.md`, however that is written. */
  main: string
  /** Paths of its other files, below the folder. */
  others: readonly string[]
}

export interface PageImport {
  /** As written; the file name for `<Snippet file="…" />`. */
  specifier: string
  /** Path below the docs folder; null when there is no such file, for a package, and where a circle was cut. */
  path: string | null
  /** 1-based. */
  line: number
}

export type PageMode = 'default' | 'wide' | 'custom' | 'frame' | 'center' | 'assistant'

export interface SitePage {
  /** `/guides/x`, `/` for the root index; no extension, no trailing slash; characters as in the file name. */
  route: string
  /** Path below the docs folder; null for a page that only the navigation generates (an API operation). */
  file: string | null
  title: string
  /** Label in navigation. */
  sidebarTitle: string
  description: string | null
  icon: Icon | null
  tag: string | null
  mode: PageMode
  /** Set: the navigation entry is a link to there. */
  url: string | null
  isDeprecated: boolean
  /** Not reachable through the shown navigation. */
  isHidden: boolean
  /** Kept out of search engines, sitemap and search. */
  noindex: boolean
  isSearchable: boolean
  /** Weight in search; 1 for a page like any other. */
  boost: number
  keywords: string[]
  /** BCP-47-ish code of the language it belongs to. */
  language: string
  /** Parsed frontmatter, `{}` when there is none or it is not readable. */
  frontmatter: FrontmatterFields
  /** When it was last changed, ISO 8601; null when that is unknown. */
  lastUpdated: string | null
  /** 1-based line of the file where the body begins. */
  bodyLine: number
  /** Set on pages of an API operation or webhook. */
  operation: ApiOperation | null
  /** MDX of a page that is made of a schema or a library, and what stands below the text of a file; null for none. */
  text: string | null
  /** What its frontmatter names of an API description and no description of the site has, as written. */
  unfilled: string | null
  /**
   * Every place in the navigation, the first one is where the page is shown by default; empty when it is listed
   * nowhere. A hidden page that is listed has its place, so that the sidebar around it can be shown, but neither
   * previous nor next.
   */
  placements: readonly Placement[]
}

export interface ApiOperation {
  /** Path of the spec file below the docs folder, or its URL. */
  spec: string
  /** Upper case; `WEBHOOK` for webhooks, `CHANNEL` for channels, `SCHEMA` for data models: their `path` is a name. */
  method: string
  path: string
  summary: string | null
  description: string | null
  tags: string[]
}

export interface Placement {
  /** `Sidebar.id`. */
  sidebar: string
  /** Labels from the outermost group to the page's own group. */
  groups: readonly string[]
  /** Routes; within one sidebar. */
  previous: string | null
  next: string | null
}

/** One leaf of the divisions: the list that stands at the left of a page. */
export interface Sidebar {
  /** Stable within a site: `s0`, `s1`, … */
  id: string
  language: string
  items: readonly NavItem[]
  /** From the outside in: each level of divisions that this sidebar lies in, with the choice that leads here. */
  levels: readonly NavLevel[]
  /** Global anchors, tabs … of `navigation.global` that show on every page below. */
  globals: readonly NavLevel[]
}

export type DivisionKind = 'languages' | 'versions' | 'products' | 'tabs' | 'dropdowns' | 'anchors' | 'menu'

export interface NavLevel {
  kind: DivisionKind
  choices: readonly NavChoice[]
  /** Index of the choice this sidebar lies in; null on globals. */
  active: number | null
}

export interface NavChoice {
  label: string
  /** Where it leads: a route of the site (`/…`) or an absolute URL; null when it has no page. */
  href: string | null
  /** Ids of all sidebars below it: to stay on the counterpart page when switching. */
  sidebars: readonly string[]
  icon: Icon | null
  tag: string | null
  description: string | null
  color: { light: string; dark: string } | null
  isHidden: boolean
  /** Shown to readers who have not chosen. */
  isDefault: boolean
  align: 'start' | 'end'
  /** A tab's or product's drop-down menu: choices of the level below. */
  menu: readonly NavChoice[]
}

export type NavItem = NavGroup | NavPage | NavLink

export interface NavGroup {
  kind: 'group'
  label: string
  icon: Icon | null
  tag: string | null
  /** Route of the group's own page. */
  root: string | null
  isExpanded: boolean
  isHidden: boolean
  /** How the group's own page lists the group. */
  directory: DirectoryListing
  items: readonly NavItem[]
}

export type DirectoryListing = 'none' | 'accordion' | 'card'

export interface NavPage {
  kind: 'page'
  route: string
}

export interface NavLink {
  kind: 'link'
  label: string
  href: string
  icon: Icon | null
}

export interface Redirect {
  /** `/old`, or with one `*` or `:slug*` at the end. */
  source: string
  destination: string
  isPermanent: boolean
}
