/** Access to the site: public, or limited to readers with a password, a signed link or organization membership. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { MAX_LINK_DAYS, SITE_PASSWORD_LENGTHS } from '../../../../../src/base/api/form-limits.ts'
import type {
  CreatedSitePass,
  SiteAccessState,
  SitePass,
} from '../../../../../src/features/hosting/operations/site-access.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { parseNameList } from '../../ui/parse-name-list.ts'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { formatDurationUntil, formatRelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'

type OpenDialog = { kind: 'password' | 'link' } | { shown: string } | { gone: SitePass }

function accessQuery(projectId: string) {
  return internalQuery('getSiteAccess', { params: { projectId } })
}

export function AccessSettings({ project }: { project: ProjectDetail }) {
  const query = useQuery(accessQuery(project.id))
  const [asked, setAsked] = useState<OpenDialog | null>(null)
  return (
    <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
      {(access) => (
        <>
          <Switches projectId={project.id} access={access} />
          <Passes access={access} onAsk={setAsked} />
          {asked !== null && <Answer projectId={project.id} asked={asked} onAsk={setAsked} />}
        </>
      )}
    </Loaded>
  )
}

function Switches({ projectId, access }: { projectId: string; access: SiteAccessState }) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { isPrivate?: boolean; admitsMembers?: boolean }) =>
      internal('updateSiteAccess', { params: { projectId }, body }),
    onSuccess: (answer) => queries.setQueryData(accessQuery(projectId).queryKey, answer),
    onError: (error) => void toastFailure(t('It was not changed'), error),
  })
  const now = { ...access, ...(change.isPending ? change.variables : {}) }
  return (
    <Section title={t('Readers')}>
      <Switch
        label={t('Private site')}
        about={t(
          'Only readers you let in can read: pages, search, Markdown, MCP and the assistant alike. Search engines are told to stay away.',
        )}
        isOn={now.isPrivate}
        onChange={(isPrivate) => change.mutate({ isPrivate })}
      />
      <Switch
        label={t('Members may sign in to read')}
        about={t('Everybody in this organization, whatever their role.')}
        isOn={now.admitsMembers}
        onChange={(admitsMembers) => change.mutate({ admitsMembers })}
      />
    </Section>
  )
}

function Passes({
  access: { isPrivate, passes },
  onAsk,
}: {
  access: SiteAccessState
  onAsk: (asked: OpenDialog) => void
}) {
  return (
    <Section
      title={t('Passwords and signed links')}
      about={
        <>
          {t('For readers who have no account here. Programs send the token of a signed link as a bearer.')}
          {!isPrivate && ` ${t('While the site is public, they only open pages of groups.')}`}
        </>
      }
    >
      {passes.length > 0 && (
        <ul
          class="mb-3 divide-y divide-line rounded-md border border-line"
          aria-label={t('Passwords and signed links')}
        >
          {passes.map((pass) => (
            <PassRow key={pass.passId} pass={pass} onAsk={onAsk} />
          ))}
        </ul>
      )}
      <div class="flex flex-wrap gap-2">
        <Button size="small" icon="key-round" onClick={() => onAsk({ kind: 'password' })}>
          {t('Add password')}
        </Button>
        <Button size="small" icon="link" onClick={() => onAsk({ kind: 'link' })}>
          {t('Create signed link')}
        </Button>
      </div>
    </Section>
  )
}

function PassRow({ pass, onAsk }: { pass: SitePass; onAsk: (asked: OpenDialog) => void }) {
  const { kind, name, passId } = pass
  return (
    <li class="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div class="min-w-0 flex-1">
        <p class="break-words">{name}</p>
        <p class="text-13 text-soft">{describePass(pass)}</p>
      </div>
      {kind === 'link' && (
        <Button size="small" look="quiet" onClick={() => onAsk({ shown: passId })}>
          {t('Show')}
        </Button>
      )}
      <Button size="small" look="quiet" onClick={() => onAsk({ gone: pass })}>
        {t('Delete')}
      </Button>
    </li>
  )
}

function describePass({ kind, groups, createdAt, expiresAt }: SitePass): string {
  const made = t('made {when}', { when: formatRelativeTime(createdAt) })
  return [
    describeAccess(kind, groups.join(', ')),
    made,
    ...(expiresAt === null ? [] : [describeExpiry(expiresAt)]),
  ].join(' · ')
}

function describeAccess(kind: SitePass['kind'], groups: string): string {
  if (kind === 'password') return groups === '' ? t('Password') : t('Password for {groups}', { groups })
  return groups === '' ? t('Signed link') : t('Signed link for {groups}', { groups })
}

function describeExpiry(at: string): string {
  return Date.parse(at) > Date.now()
    ? t('ends in {duration}', { duration: formatDurationUntil(at) })
    : t('ended')
}

function Answer({
  projectId,
  asked,
  onAsk,
}: {
  projectId: string
  asked: OpenDialog
  onAsk: (asked: OpenDialog | null) => void
}) {
  const onClose = () => onAsk(null)
  if ('shown' in asked) return <LinkDialog projectId={projectId} passId={asked.shown} onClose={onClose} />
  if ('gone' in asked) return <DeleteDialog projectId={projectId} pass={asked.gone} onClose={onClose} />
  const onMade = (made: CreatedSitePass) => onAsk(made.url === null ? null : { shown: made.passId })
  return <PassDialog projectId={projectId} kind={asked.kind} onMade={onMade} onClose={onClose} />
}

const EXAMPLE_GROUPS = 'partners, beta'
const FIELDS = ['name', 'password', 'days', 'groups'] as const

function PassDialog({
  projectId,
  kind,
  onMade,
  onClose,
}: {
  projectId: string
  kind: 'password' | 'link'
  onMade: (made: CreatedSitePass) => void
  onClose: () => void
}) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<PassDraft>({ name: '', password: '', days: '30', groups: '' })
  const save = async () => {
    const { name, password, days, groups } = draft
    const about = { name: name.trim(), groups: parseNameList(groups) }
    const body =
      kind === 'password'
        ? { ...about, kind: 'password' as const, password }
        : { ...about, kind: 'link' as const, days: Number(days) }
    const made = await internal('createSitePass', { params: { projectId }, body })
    await queries.invalidateQueries({ queryKey: accessQuery(projectId).queryKey })
    toast({ kind: 'done', title: kind === 'password' ? t('Password added') : t('Signed link created') })
    onMade(made)
  }
  return (
    <FormDialog
      title={kind === 'password' ? t('Add password') : t('Create signed link')}
      action={kind === 'password' ? t('Add password') : t('Create link')}
      fields={FIELDS}
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => (
        <div class="space-y-4">
          <PassFields
            kind={kind}
            draft={draft}
            faults={faults}
            onChange={(part) => setDraft({ ...draft, ...part })}
          />
        </div>
      )}
    </FormDialog>
  )
}

interface PassDraft {
  name: string
  password: string
  days: string
  /** Comma-separated. */
  groups: string
}

function PassFields({
  kind,
  draft: { name, password, days, groups },
  faults,
  onChange,
}: {
  kind: 'password' | 'link'
  draft: PassDraft
  faults: Partial<Record<(typeof FIELDS)[number], string>>
  onChange: (part: Partial<PassDraft>) => void
}) {
  return (
    <>
      <TextField
        label={t('Who it is for')}
        error={faults.name}
        required
        autoFocus
        maxLength={100}
        placeholder={t('Partners')}
        value={name}
        onText={(name) => onChange({ name })}
      />
      {kind === 'password' ? (
        <NewPassword password={password} error={faults.password} onChange={onChange} />
      ) : (
        <TextField
          label={t('Days until it ends')}
          error={faults.days}
          required
          type="number"
          min={1}
          max={MAX_LINK_DAYS}
          value={days}
          onText={(days) => onChange({ days })}
        />
      )}
      <TextField
        label={t('Page groups')}
        error={faults.groups}
        hint={t(
          'Names that pages list under groups in their frontmatter, separated by commas. A new set of groups publishes the site again.',
        )}
        isOptional
        placeholder={EXAMPLE_GROUPS}
        value={groups}
        onText={(groups) => onChange({ groups })}
      />
    </>
  )
}

function NewPassword({
  password,
  error,
  onChange,
}: {
  password: string
  error: string | undefined
  onChange: (part: Partial<PassDraft>) => void
}) {
  return (
    <PasswordField
      label={t('Password')}
      error={error}
      hint={t('At least {least} characters. Only a hash is kept, so it is never shown again.', {
        least: SITE_PASSWORD_LENGTHS.least,
      })}
      required
      minLength={SITE_PASSWORD_LENGTHS.least}
      maxLength={SITE_PASSWORD_LENGTHS.most}
      autocomplete="new-password"
      value={password}
      onText={(password) => onChange({ password })}
    />
  )
}

function LinkDialog({
  projectId,
  passId,
  onClose,
}: {
  projectId: string
  passId: string
  onClose: () => void
}) {
  const query = useQuery(internalQuery('getSiteLink', { params: { projectId, passId } }))
  return (
    <Dialog
      title={t('Signed link')}
      about={t('Whoever has it may read the site until it ends or is deleted.')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <Loaded query={query} skeleton={<Skeleton class="h-10 w-full rounded-md" />}>
        {({ url }) =>
          url === null ? (
            <p class="text-soft">{t('The site has no domain that is served yet.')}</p>
          ) : (
            <CopyField text={url} label={t('Signed link')} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function DeleteDialog({
  projectId,
  pass,
  onClose,
}: {
  projectId: string
  pass: SitePass
  onClose: () => void
}) {
  const queries = useQueryClient()
  const remove = async () => {
    const answer = await internal('deleteSitePass', { params: { projectId, passId: pass.passId } })
    queries.setQueryData(accessQuery(projectId).queryKey, answer)
    toast({ kind: 'done', title: t('Deleted “{name}”', { name: pass.name }) })
  }
  return (
    <ConfirmDialog
      title={pass.kind === 'password' ? t('Delete this password?') : t('Delete this link?')}
      action={t('Delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('Readers who came in by “{name}” may read no more, within seconds.', { name: pass.name })}</p>
    </ConfirmDialog>
  )
}
