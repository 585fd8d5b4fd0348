import { editorHost } from "../host";
import { Page } from "./page";

new Page(editorHost(), document.body);
