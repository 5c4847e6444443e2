/**
 * The tools that read code beside the docs, as described to the model. code-reader.ts runs them, because the server
 * opens the repositories and reads them in separate processes.
 */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

const Repository = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'Name of a code repository, as list_code gives it.',
})
const Folder = Type.Optional(
  Type.String({ maxLength: 400, description: 'Only below this folder; all of it when left out.' }),
)
const Glob = Type.Optional(
  Type.String({ minLength: 1, maxLength: 300, description: 'Only files like this, such as "**/*.ts".' }),
)
const Offset = Type.Optional(Type.Integer({ minimum: 0, description: 'How many results to pass over.' }))
const Path = Type.String({ minLength: 1, maxLength: 400, description: 'Such as "src/cli.ts".' })
const closed = { additionalProperties: false }

export const listCode = serverTool({
  name: 'list_code',
  desk: 'code',
  description:
    'Lists the code repositories of the project with the newest tags; with a repository, the files and folders in a folder of it; with a glob, all matching files. Code is read-only.',
  input: Type.Object(
    { repository: Type.Optional(Repository), folder: Folder, glob: Glob, offset: Offset },
    closed,
  ),
})

export const searchCode = serverTool({
  name: 'search_code',
  desk: 'code',
  description: 'Finds lines of code with a text or a regular expression, with file and line.',
  input: Type.Object(
    {
      repository: Repository,
      query: Type.String({ minLength: 1, maxLength: 1000, description: 'What to look for.' }),
      mode: Type.Optional(
        Type.Enum(['text', 'regex'], {
          description: 'text (when left out), or regex without lookaround and backreferences.',
        }),
      ),
      folder: Folder,
      glob: Glob,
      matchCase: Type.Optional(Type.Boolean({ description: 'Tell upper and lower case apart.' })),
      offset: Offset,
    },
    closed,
  ),
})

export const readCode = serverTool({
  name: 'read_code',
  desk: 'code',
  description:
    'Reads a file of code: numbered lines, each number followed by a tab that is not part of the file. Long files come in windows.',
  input: Type.Object(
    {
      repository: Repository,
      path: Path,
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to show; 1 when left out.' })),
      lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: 'How many lines.' })),
      column: Type.Optional(
        Type.Integer({ minimum: 1, description: 'First character of each line; for lines that were cut.' }),
      ),
    },
    closed,
  ),
})

export const outlineCode = serverTool({
  name: 'outline_code',
  desk: 'code',
  description:
    'Lists what files of code define, by line: functions, classes, types, constants, options. It reads lines, not the grammar of the language, and may miss some. Name a file, or a folder or glob.',
  input: Type.Object(
    {
      repository: Repository,
      path: Type.Optional(Path),
      folder: Folder,
      glob: Glob,
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only names that hold this text.' }),
      ),
      offset: Offset,
    },
    closed,
  ),
})

export const diffCode = serverTool({
  name: 'diff_code',
  desk: 'code',
  description:
    'Shows what changed in a code repository between two branches, tags or full commit names: the list of files, and the patch where it is short; with a path, the patch of that file or folder.',
  input: Type.Object(
    {
      repository: Repository,
      from: Type.String({ minLength: 1, maxLength: 255, description: 'Such as "v1.2.0".' }),
      to: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'When left out, what is read now.' }),
      ),
      path: Type.Optional(Path),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'How many characters of the patch to pass over.' }),
      ),
    },
    closed,
  ),
})
