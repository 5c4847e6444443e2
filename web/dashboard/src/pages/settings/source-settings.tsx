import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { Notice } from '../../ui/card.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { SettingsForm, type SettingsShape, type SettingsState } from './settings-form.tsx'

interface SourceDraft {
  kind: 'folder' | 'git'
  repository: string
  /** Empty for the default branch. */
  ref: string
  docsFolder: string
  lfs: boolean
}

const KIND_NAMES: Record<SourceDraft['kind'], string> = {
  folder: t('A folder on the server'),
  git: t('A git repository'),
}
const LFS = t('Fetch files of Git LFS')
const EXAMPLES = { repository: 'https://github.com/acme/docs', branch: 'main', folder: 'docs' }

const SHAPE: SettingsShape<SourceDraft> = {
  toDraft: ({ source }) => ({ ...source, ref: source.ref ?? '' }),
  toChange: ({ kind, repository, ref, docsFolder, lfs }) => ({
    source: {
      kind,
      repository: repository.trim(),
      ref: ref.trim() === '' ? null : ref.trim(),
      docsFolder: docsFolder.trim(),
      lfs,
    },
  }),
  toLabelledValues: ({ kind, repository, ref, docsFolder, lfs }) => [
    { label: t('Kind'), value: KIND_NAMES[kind] },
    { label: t('Repository'), value: repository },
    { label: t('Branch'), value: ref },
    { label: t('Docs folder'), value: docsFolder },
    { label: LFS, value: lfs ? t('On') : t('Off') },
  ],
  matchField: (path) =>
    ({
      source: 'repository',
      'source/repository': 'repository',
      'source/ref': 'ref',
      'source/docsFolder': 'docsFolder',
    })[path],
}

export function SourceSettings({ project }: { project: ProjectDetail }) {
  const wasFolder = project.source.kind === 'folder'
  return (
    <SettingsForm project={project} shape={SHAPE}>
      {({ draft, set, faults, project: saved }) => (
        <>
          {wasFolder && (
            <KindChoice
              kind={draft.kind}
              onChange={(kind) =>
                set({ kind, repository: kind === saved.source.kind ? saved.source.repository : '' })
              }
            />
          )}
          <TextField
            label={draft.kind === 'git' ? t('Address of the repository') : t('Folder')}
            hint={
              draft.kind === 'git'
                ? t('https:// or ssh, such as {address}', { address: EXAMPLES.repository })
                : undefined
            }
            error={faults.repository}
            isMono
            readOnly={draft.kind === 'folder'}
            value={draft.repository}
            placeholder={EXAMPLES.repository}
            onText={(repository) => set({ repository })}
          />
          <PlaceFields draft={draft} set={set} faults={faults} />
          {draft.kind === 'git' && (
            <Switch
              label={LFS}
              about={t('From the host of the repository, over https and with the token of the project.')}
              isOn={draft.lfs}
              onChange={(lfs) => set({ lfs })}
            />
          )}
          {draft.repository !== saved.source.repository && saved.publishedAt !== null && (
            <Notice tone="warning" title={t('Readers see the published version until the next deployment')}>
              {t(
                'The next deployment publishes what is in the new source; agent jobs that are at work go on with the old one.',
              )}
            </Notice>
          )}
        </>
      )}
    </SettingsForm>
  )
}

type Kind = SourceDraft['kind']

function KindChoice({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  return (
    <FieldSet label={t('Where the documentation is')}>
      <RadioGroup
        label={t('Where the documentation is')}
        value={kind}
        onChange={onChange}
        choices={[
          {
            value: 'folder',
            label: KIND_NAMES.folder,
            about: t('Set on the server’s command line, since whoever names a folder can read it.'),
          },
          {
            value: 'git',
            label: KIND_NAMES.git,
            about: t('Fetched at each deployment; the agent proposes its changes there.'),
          },
        ]}
      />
    </FieldSet>
  )
}

/** Location of the docs in the repository. */
function PlaceFields({ draft, set, faults }: Pick<SettingsState<SourceDraft>, 'draft' | 'set' | 'faults'>) {
  return (
    <>
      <TextField
        label={t('Branch')}
        isOptional
        hint={t('Leave it empty for the repository’s default branch.')}
        error={faults.ref}
        isMono
        value={draft.ref}
        placeholder={EXAMPLES.branch}
        onText={(ref) => set({ ref })}
      />
      <TextField
        label={t('Docs folder')}
        isOptional
        hint={t('Where docs.json is, below the root. Leave it empty for the root.')}
        error={faults.docsFolder}
        isMono
        value={draft.docsFolder}
        placeholder={EXAMPLES.folder}
        onText={(docsFolder) => set({ docsFolder })}
      />
    </>
  )
}
