/**
 * Built-in components for islands, bundled only if used. Excludes `Image` and `File`, because these names are
 * browser globals.
 */
import type { AuthorProps } from './author-props.tsx'
import { GitHubRepo } from './links.tsx'
import { ColorItem, ColorRow, Color as Colors } from './small-parts.tsx'
import { TreeFile, TreeFolder, Tree as Trees } from './tree.tsx'

export { Callout, Check, Danger, Info, Note, Tip, Warning } from './callouts.tsx'
export { CodeBlock, CodeGroup, Prompt } from './code.tsx'
export { Accordion, AccordionGroup, Expandable } from './disclosure.tsx'
export { ParamField, ResponseField } from './fields.tsx'
export { Heading } from './headings.tsx'
export { A as Link, Card, Column, Columns, Columns as CardGroup, Tile } from './links.tsx'
export { Frame } from './media.tsx'
export {
  Badge,
  Icon,
  Latex,
  Mermaid,
  Tooltip,
  Update,
  View,
  Visibility,
} from './small-parts.tsx'
export { Step, Steps } from './steps.tsx'
export { Tab, Tabs } from './tabs.tsx'
export { TreeFolder as Folder } from './tree.tsx'

export const Color = /* @__PURE__ */ Object.assign((props: AuthorProps) => <Colors {...props} />, {
  Row: ColorRow,
  Item: ColorItem,
})
export const Tree = /* @__PURE__ */ Object.assign((props: AuthorProps) => <Trees {...props} />, {
  Folder: TreeFolder,
  File: TreeFile,
})
export const FileTree = /* @__PURE__ */ Object.assign((props: AuthorProps) => <Trees {...props} />, {
  Folder: TreeFolder,
  File: TreeFile,
})
export const GitHub = /* @__PURE__ */ Object.assign((props: AuthorProps) => <GitHubRepo {...props} />, {
  Repo: GitHubRepo,
})
