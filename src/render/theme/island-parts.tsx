/** Built-in components by the names under which the code of islands finds them; each is bundled only where it is used. */
import type { AuthorProps } from './components/author-props.tsx'
import { GitHubRepo } from './components/links.tsx'
import { ColorItem, ColorRow, Color as Colors } from './components/small-parts.tsx'
import { TreeFile, TreeFolder, Tree as Trees } from './components/tree.tsx'

export { Callout, Check, Danger, Info, Note, Tip, Warning } from './components/callouts.tsx'
export { CodeBlock, CodeGroup, Prompt } from './components/code.tsx'
export { Accordion, AccordionGroup, Expandable } from './components/disclosure.tsx'
export { ParamField, ResponseField } from './components/fields.tsx'
export { Heading } from './components/headings.tsx'
export { A as Link, Card, Column, Columns, Columns as CardGroup, Tile } from './components/links.tsx'
export { Frame } from './components/media.tsx'
export {
  Badge,
  Icon,
  Latex,
  Mermaid,
  Tooltip,
  Update,
  View,
  Visibility,
} from './components/small-parts.tsx'
export { Step, Steps } from './components/steps.tsx'
export { Tab, Tabs } from './components/tabs.tsx'
export { TreeFolder as Folder } from './components/tree.tsx'

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
