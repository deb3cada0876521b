export { playbookRun } from './playbook-run.workflow';
