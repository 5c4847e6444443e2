/** What a site is rendered from, and for whom. */

import type { Deployment, FeatureSet } from '../../base/api/features.ts'
import type { WidgetChoice } from '../../base/api/widgets.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site } from '../../site/model.ts'
import type { Audience } from '../../site/pages/page-readers.ts'
import type { Repository } from '../links/repository-links.ts'
export interface RenderInput {
  site: Site
  tree: FileTree
  deployment: Deployment
  features: FeatureSet
  /** `https://docs.example.com`, without a trailing slash; null when unknown. */
  origin: string | null
  /** `site_…`, for the widgets of pages that can reach the platform; null when there is none. */
  siteId: string | null
  platformUrl: string | null
  /** Feedback widgets that the project has chosen. */
  widgets: WidgetChoice
  /** Where the source can be seen; null for a folder. */
  repository: Repository | null
  /** Key that a bundle will be signed with, as its manifest names it; left out: it will not be. */
  signer?: string
  /** Routes to write; all when left out. */
  paths?: readonly string[]
  /** A few pages for people to look at: without what hosts and machines read. */
  isExcerpt?: boolean
  /** Whom it is for; every page when left out. */
  audience?: Audience
}
