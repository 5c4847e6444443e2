import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { CopyId } from '../../ui/copy.tsx'
import { FactRows } from '../../ui/fact.tsx'
import { Section } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { ProjectForm } from './project-form.tsx'

export function GeneralSettings({ project }: { project: ProjectDetail }) {
  return (
    <ProjectForm
      project={project}
      fields={() => [
        {
          name: 'name',
          label: t('Name'),
          help: t('What the project is called here; readers do not see it.'),
          input: { autocomplete: 'off' },
        },
      ]}
    >
      <div class="mt-10">
        <Section title={t('IDs')} about={t('For the API and the command line.')}>
          <FactRows
            rows={[
              [t('Project'), <CopyId key="project" id={project.id} label={t('Copy the project ID')} />],
              [t('Site'), <CopyId key="site" id={project.siteId} label={t('Copy the site ID')} />],
            ]}
          />
        </Section>
      </div>
    </ProjectForm>
  )
}
