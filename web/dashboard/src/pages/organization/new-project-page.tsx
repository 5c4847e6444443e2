import { PageHeader } from '../../ui/page.tsx'

export function NewProjectPage() {
  return <PageHeader title="New project" />
}
