import { editorHost } from "../host";
import { HoldPage } from "./page";

new HoldPage(editorHost(), document.body);
