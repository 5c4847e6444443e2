/** All that a page may use without importing it, and the elements that Markdown makes. */
import type { FunctionComponent } from 'preact'
import { ApiChoice, ApiField, ApiPanel } from './api.tsx'
import type { AuthorProps } from './author-props.tsx'
import { Callout, Check, Danger, Info, Note, Tip, Warning } from './callouts.tsx'
import { CodeBlock, CodeGroup, Panel, Prompt, RequestExample, ResponseExample } from './code.tsx'
import { Accordion, AccordionGroup, Expandable } from './disclosure.tsx'
import { ParamField, ResponseField } from './fields.tsx'
import { H1, H2, H3, H4, H5, H6, Heading } from './headings.tsx'
import { A, Card, Column, Columns, GitHubRepo, Tile } from './links.tsx'
import { Frame, Iframe, Img, Input, Pre, Table, Video } from './media.tsx'
import {
  Badge,
  Color,
  ColorItem,
  ColorRow,
  Icon,
  Latex,
  Mermaid,
  Snippet,
  Tooltip,
  Update,
  View,
  Visibility,
} from './small-parts.tsx'
import { Step, Steps } from './steps.tsx'
import { Tab, Tabs } from './tabs.tsx'
import { Tree, TreeFile, TreeFolder } from './tree.tsx'

const FileTree = Object.assign((props: AuthorProps) => <Tree {...props} />, {
  Folder: TreeFolder,
  File: TreeFile,
})
const GitHub = Object.assign((props: AuthorProps) => <GitHubRepo {...props} />, { Repo: GitHubRepo })

export const components: Record<string, FunctionComponent<AuthorProps>> = {
  Accordion,
  AccordionGroup,
  Badge,
  Callout,
  Card,
  CardGroup: Columns,
  Check,
  CodeBlock,
  CodeGroup,
  Color: Object.assign(Color, { Row: ColorRow, Item: ColorItem }),
  Column,
  Columns,
  Danger,
  Expandable,
  File: TreeFile,
  FileTree,
  Folder: TreeFolder,
  Frame,
  GitHub,
  Heading,
  Icon,
  Image: Img,
  Info,
  Latex,
  Link: A,
  Mermaid,
  Note,
  Panel,
  ParamField,
  Prompt,
  RequestExample,
  ResponseExample,
  ResponseField,
  Snippet,
  Step,
  Steps,
  Tab,
  Tabs,
  Tile,
  Tip,
  Tooltip,
  Tree: Object.assign(Tree, { Folder: TreeFolder, File: TreeFile }),
  Update,
  View,
  Visibility,
  Warning,
  a: A,
  h1: H1,
  h2: H2,
  h3: H3,
  h4: H4,
  h5: H5,
  h6: H6,
  iframe: Iframe,
  img: Img,
  input: Input,
  'octavo:choice': ApiChoice,
  'octavo:field': ApiField,
  'octavo:panel': ApiPanel,
  pre: Pre,
  table: Table,
  video: Video,
}
