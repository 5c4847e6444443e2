/** Input of a render: the site and its target. */

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
  /** `https://docs.example.com`, without a trailing slash; null if unknown. */
  origin: string | null
  /** `site_…`, for widgets of pages that can reach the platform; null if there is none. */
  siteId: string | null
  platformUrl: string | null
  /** Feedback widgets chosen for the project. */
  widgets: WidgetChoice
  /** Repository where the source is visible; null for a folder. */
  repository: Repository | null
  /** Key that will sign the bundle, as named in its manifest; absent if the bundle will not be signed. */
  signer?: string
  /** Routes to write; all if omitted. */
  paths?: readonly string[]
  /** Renders selected pages for people only, without files for hosts and machines. */
  isPartial?: boolean
  /** Includes only pages for this audience; all pages if omitted. */
  audience?: Audience
}
