import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { textOf } from '../../forms/draft.ts'
import type { Draft, Entry, FieldSpec } from '../../forms/field-spec.ts'
import { Notice } from '../../ui/card.tsx'
import { t } from '../../words/words.ts'
import { ProjectForm } from './project-form.tsx'

export const EXAMPLE_SOURCE = { repository: 'https://github.com/acme/docs', branch: 'main', folder: 'docs' }

export function SourceSettings({ project }: { project: ProjectDetail }) {
  return <ProjectForm project={project} fields={sourceFields} />
}

function sourceFields(draft: Draft, { source, publishedAt }: ProjectDetail): readonly Entry[] {
  const isGit = draft['source/kind'] !== 'folder'
  const isOther =
    draft['source/repository'] !== undefined && textOf(draft, 'source/repository') !== source.repository
  return [
    {
      name: 'source/kind',
      kind: 'radio',
      label: t('Where the documentation is'),
      isHidden: source.kind !== 'folder',
      choices: [
        {
          value: 'folder',
          label: t('A folder on the server'),
          about: t('Set on the server’s command line, because anyone who can choose a folder can read it.'),
        },
        {
          value: 'git',
          label: t('A git repository'),
          about: t('Fetched at each deployment; the agent proposes its changes there.'),
        },
      ],
      onChange: (kind) => ({ 'source/repository': kind === source.kind ? source.repository : '' }),
    },
    {
      name: 'source/repository',
      label: isGit ? t('URL of the repository') : t('Folder'),
      help: isGit
        ? t('https:// or ssh, such as {address}', { address: EXAMPLE_SOURCE.repository })
        : undefined,
      example: EXAMPLE_SOURCE.repository,
      isMono: true,
      input: { readOnly: !isGit },
    },
    ...locationFields(),
    {
      name: 'source/lfs',
      label: t('Fetch Git LFS files'),
      help: t('From the host of the repository, over https and with the token of the project.'),
      isHidden: !isGit,
    },
    isOther && publishedAt !== null && (
      <Notice tone="warning" title={t('Readers see the published version until the next deployment')}>
        {t('The next deployment publishes the new source. Running agent jobs continue with the old one.')}
      </Notice>
    ),
  ]
}

export function locationFields(): readonly FieldSpec[] {
  return [
    {
      name: 'source/ref',
      label: t('Branch'),
      help: t('Leave it empty for the repository’s default branch.'),
      example: EXAMPLE_SOURCE.branch,
      isMono: true,
    },
    {
      name: 'source/docsFolder',
      label: t('Docs folder'),
      help: t('Folder with docs.json. Leave it empty for the root.'),
      example: EXAMPLE_SOURCE.folder,
      isMono: true,
    },
  ]
}
