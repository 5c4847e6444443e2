/**
 * Descriptions of the tools that read code. code-reader.ts runs them, because the server opens the repositories and
 * reads them in separate processes.
 */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

const Repository = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'Name of a code repository, as returned by list_code.',
})
const Folder = Type.Optional(
  Type.String({ maxLength: 400, description: 'Limits the results to this folder. Default: everything.' }),
)
const Glob = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Only files that match this pattern, such as "**/*.ts".',
  }),
)
const Offset = Type.Optional(Type.Integer({ minimum: 0, description: 'Number of results to skip.' }))
const Path = Type.String({ minLength: 1, maxLength: 400, description: 'Example: "src/cli.ts".' })
const closedObject = { additionalProperties: false }

export const listCode = serverTool({
  name: 'list_code',
  backend: 'code',
  description:
    'Lists the code repositories of the project with their newest tags; with a repository, the files and folders in one of its folders; with a glob, all matching files. Code is read-only.',
  input: Type.Object(
    { repository: Type.Optional(Repository), folder: Folder, glob: Glob, offset: Offset },
    closedObject,
  ),
})

export const searchCode = serverTool({
  name: 'search_code',
  backend: 'code',
  description: 'Finds lines of code that contain a text or match a regular expression, with file and line.',
  input: Type.Object(
    {
      repository: Repository,
      query: Type.String({ minLength: 1, maxLength: 1000, description: 'Text or pattern to search for.' }),
      mode: Type.Optional(
        Type.Enum(['text', 'regex'], {
          description: 'text (default), or regex without lookaround or backreferences.',
        }),
      ),
      folder: Folder,
      glob: Glob,
      matchCase: Type.Optional(Type.Boolean({ description: 'Case-sensitive search.' })),
      offset: Offset,
    },
    closedObject,
  ),
})

export const readCode = serverTool({
  name: 'read_code',
  backend: 'code',
  description:
    'Reads a file of code: numbered lines, each number followed by a tab that is not part of the file. Long files are returned in parts.',
  input: Type.Object(
    {
      repository: Repository,
      path: Path,
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to show. Default: 1.' })),
      lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: 'Number of lines.' })),
      column: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Position of the first character to show in each line, for lines that were truncated.',
        }),
      ),
    },
    closedObject,
  ),
})

export const outlineCode = serverTool({
  name: 'outline_code',
  backend: 'code',
  description:
    'Lists the definitions in files of code, by line: functions, classes, types, constants, options. It does not parse the language and may miss some. Give a file, a folder or a glob.',
  input: Type.Object(
    {
      repository: Repository,
      path: Type.Optional(Path),
      folder: Folder,
      glob: Glob,
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only names that contain this text.' }),
      ),
      offset: Offset,
    },
    closedObject,
  ),
})

export const diffCode = serverTool({
  name: 'diff_code',
  backend: 'code',
  description:
    'Shows the changes in a code repository between two branches, tags or full commit ids: the list of files, and the patch if it is short; with a path, the patch of that file or folder.',
  input: Type.Object(
    {
      repository: Repository,
      from: Type.String({ minLength: 1, maxLength: 255, description: 'Example: "v1.2.0".' }),
      to: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Default: the current commit.' }),
      ),
      path: Type.Optional(Path),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Number of characters of the patch to skip.' }),
      ),
    },
    closedObject,
  ),
})
