/** Input of a render: the site and its deployment. */

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
  /** For example `https://docs.example.com`, without a trailing slash; null if unknown. */
  origin: string | null
  /** `site_…`, for widgets that use the server; null if there is none. */
  siteId: string | null
  platformUrl: string | null
  widgets: WidgetChoice
  /** Public repository of the source; null for a folder. */
  repository: Repository | null
  /** Name of the key that will sign the bundle, for the manifest. Omitted if the bundle will not be signed. */
  signer?: string
  /** Routes to render. Defaults to all. */
  paths?: readonly string[]
  /** Whether to omit files for hosts and programs. */
  isPartial?: boolean
  /** Restricts pages to an audience. Defaults to all pages. */
  audience?: Audience
}
